/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

/** The key of an object, in some bucket. */
public record ObjectKey(String bucket, String key) {
  public static ObjectKey of(TaskFile file) {
    return new ObjectKey(file.bucket(), file.key());
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + key;
  }
}
