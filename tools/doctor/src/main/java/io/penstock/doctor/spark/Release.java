/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version number of a release. Anything after the third part is ignored. */
record Release(int major, int minor, int patch) implements Comparable<Release> {
  private static final Pattern NUMBER =
      Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?.*");

  /**
   * @throws IllegalArgumentException when the text is not a version number
   */
  static Release of(String text) {
    Matcher number = NUMBER.matcher(text);
    if (!number.matches()) {
      throw new IllegalArgumentException(text + " is not a release number");
    }
    String patch = number.group(3);
    return new Release(
        Integer.parseInt(number.group(1)),
        Integer.parseInt(number.group(2)),
        patch == null ? 0 : Integer.parseInt(patch));
  }

  boolean isBefore(int otherMajor, int otherMinor, int otherPatch) {
    return compareTo(new Release(otherMajor, otherMinor, otherPatch)) < 0;
  }

  @Override
  public int compareTo(Release other) {
    return java.util.Comparator.comparingInt(Release::major)
        .thenComparingInt(Release::minor)
        .thenComparingInt(Release::patch)
        .compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
