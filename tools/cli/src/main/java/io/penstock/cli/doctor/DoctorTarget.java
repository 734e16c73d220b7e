/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.doctor;

import io.penstock.core.store.keys.BucketNames;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bucket and prefix that the doctor checks. */
record DoctorTarget(String bucket, String prefix) {
  private static final Pattern FORM = Pattern.compile("(?i)s3a?://([^/]+)/*(.*)");

  /**
   * @throws IllegalArgumentException when the text names no bucket
   */
  static DoctorTarget of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          BucketNames.shown(text)
              + " names no bucket; write s3://BUCKET/PREFIX, or --checkpoint DIR for a directory");
    }
    return new DoctorTarget(BucketNames.checked(form.group(1)), form.group(2));
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + prefix;
  }
}
