/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of Spark or Hadoop, reduced to the three numbers that the rules need. */
public record Version(int major, int minor, int patch) implements Comparable<Version> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?");

  /** Returns the first version in a text, such as {@code 3.4.2} in {@code 3.4.2-amzn-0}. */
  public static Optional<Version> in(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.find()) {
      return Optional.empty();
    }
    String patch = matcher.group(3);
    return Optional.of(
        new Version(
            Integer.parseInt(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            patch == null ? 0 : Integer.parseInt(patch)));
  }

  public boolean isAtLeast(int otherMajor, int otherMinor, int otherPatch) {
    return compareTo(new Version(otherMajor, otherMinor, otherPatch)) >= 0;
  }

  @Override
  public int compareTo(Version other) {
    int byMajor = Integer.compare(major, other.major);
    int byMinor = byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
    return byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
