/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Range;
import io.penstock.core.store.SuffixRange;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the {@code Range} header of a read. */
final class RangeField {
  private static final Pattern FORM = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");
  private static final Range NO_BYTE = new ByteRange(Long.MAX_VALUE - 1, Long.MAX_VALUE);

  private RangeField() {}

  /**
   * Returns the range, or empty when the header is malformed or lists several ranges. S3 then sends
   * the whole object.
   */
  static Optional<Range> parse(String value) {
    Matcher matcher = FORM.matcher(value.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String first = matcher.group(1);
    String last = matcher.group(2);
    if (first.isEmpty()) {
      if (last.isEmpty()) {
        return Optional.empty();
      }
      long length = Long.parseLong(last);
      return Optional.of(length == 0 ? NO_BYTE : new SuffixRange(length));
    }
    long start = Long.parseLong(first);
    long end = last.isEmpty() ? Long.MAX_VALUE : Long.parseLong(last) + 1;
    return end <= start ? Optional.empty() : Optional.of(new ByteRange(start, end));
  }
}
