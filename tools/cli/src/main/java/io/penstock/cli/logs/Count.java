/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.logs;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of things, which can be written as 150000, 150k or 10M. */
record Count(long value) {
  /** Parses numbers with suffixes for powers of ten, as people write request counts. */
  static final class Reader implements ITypeConverter<Count> {
    @Override
    public Count convert(String text) {
      if (!text.matches("[0-9]{1,12}[kKM]?")) {
        throw new TypeConversionException(
            "'" + text + "' is not a number of requests; write 150000, 150k or 10M");
      }
      char last = text.charAt(text.length() - 1);
      long unit = last == 'M' ? 1_000_000 : Character.isDigit(last) ? 1 : 1_000;
      String digits = unit == 1 ? text : text.substring(0, text.length() - 1);
      return new Count(Long.parseLong(digits) * unit);
    }
  }
}
