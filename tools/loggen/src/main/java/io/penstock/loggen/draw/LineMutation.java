/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.draw;

import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.plan.Call;

/** The known oddities of log lines. Each was seen in published server access logs. */
public enum LineMutation {
  NONE,
  /** A quotation mark within the request's URI. S3 does not escape it. */
  QUOTE_IN_URI,
  QUOTE_IN_AGENT,
  /** Referer and user agent as dashes without quotation marks. */
  BARE_DASHES,
  /**
   * The URI as a dash without quotation marks. Only used if the other fields contain all of the
   * URI.
   */
  BARE_URI,
  DOUBLE_SPACE,
  /** An additional token before the host id, which shifts all following fields. */
  EXTRA_TOKEN,
  /** A quotation mark and a semicolon at the end. */
  TRAILING_SEMICOLON,
  CYRILLIC,
  /** Fewer fields, as in older formats: 17, 18, 24, 25 or 26. */
  FEWER_FIELDS,
  /** The line is written twice. */
  DUPLICATE;

  private static final LineMutation[] ALL = values();

  /** Returns the oddity of a request, chosen by its random bits. */
  public static LineMutation of(long bits, double share, Call call) {
    if (Mix.unit(bits) >= share) {
      return NONE;
    }
    LineMutation drawn = ALL[1 + (int) Long.remainderUnsigned(Mix.of(bits), ALL.length - 1)];
    boolean needsUri = call == Call.PART || call == Call.COMPLETE;
    return drawn == BARE_URI && needsUri ? BARE_DASHES : drawn;
  }
}
