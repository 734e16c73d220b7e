/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.dns;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query that CoreDNS answered.
 *
 * @param name the name, without its last dot, in lower case
 * @param type the type of record, such as A or AAAA
 * @param code the code of the answer, such as NOERROR
 */
record DnsLine(String name, String type, String code, double millis) {
  /** A name has at most 255 bytes, and what runtimes add to a line is short. */
  private static final int MAX_LENGTH = 8 << 10;

  // remote:port - id "type class name proto size do bufsize" rcode rflags rsize duration
  private static final Pattern COMMON =
      Pattern.compile(
          "(?:^| )\\S+:\\d+ - \\d+ \"(\\S+) \\S+ (\\S+) \\S+ \\d+ \\w+ \\d+\""
              + " (\\S+) \\S+ \\d+ (\\d+(?:\\.\\d+)?)(ns|us|\u00b5s|\u03bcs|ms|s)\\s*$");

  static Optional<DnsLine> of(String line) {
    // A line ends with a duration, so with the s of seconds. Few other lines do.
    String text = line.stripTrailing();
    boolean canBe = text.endsWith("s") && text.length() <= MAX_LENGTH && text.indexOf('"') >= 0;
    Matcher match = canBe ? COMMON.matcher(text) : null;
    if (match == null || !match.find()) {
      return Optional.empty();
    }
    String name = match.group(2).toLowerCase(Locale.ROOT);
    boolean isRooted = name.length() > 1 && name.endsWith(".");
    return Optional.of(
        new DnsLine(
            isRooted ? name.substring(0, name.length() - 1) : name,
            match.group(1),
            match.group(3),
            Double.parseDouble(match.group(4)) * millis(match.group(5))));
  }

  // Go writes the unit of microseconds with a letter that is not ASCII.
  private static double millis(String unit) {
    return switch (unit) {
      case "ns" -> 1e-6;
      case "s" -> 1e3;
      case "ms" -> 1;
      default -> 1e-3;
    };
  }

  /** Returns true if the name does not exist. A search list causes many such answers. */
  boolean isMissing() {
    return code.equals("NXDOMAIN");
  }
}
