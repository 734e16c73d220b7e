/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

/** The ways in which a line is made odd, each seen in published server access logs. */
enum LineMutation {
  NONE,
  /** A quotation mark within the request's URI, which S3 does not escape. */
  QUOTE_IN_URI,
  QUOTE_IN_AGENT,
  /** Referer and user agent as dashes without quotation marks. */
  BARE_DASHES,
  /** The URI as a dash without quotation marks; only if the other fields contain all of it. */
  BARE_URI,
  DOUBLE_SPACE,
  /** A token before the host id, which shifts all that follows. */
  EXTRA_TOKEN,
  /** A quotation mark and a semicolon at the end. */
  TRAILING_SEMICOLON,
  CYRILLIC,
  /** Fewer fields, as before they were added: 17, 18, 24, 25 or 26. */
  FEWER_FIELDS,
  /** The line is there twice. */
  DUPLICATE;

  private static final LineMutation[] ALL = values();

  /** One of them, by a request's own chance. */
  static LineMutation of(long bits, double share, Call call) {
    if (Mix.unit(bits) >= share) {
      return NONE;
    }
    LineMutation drawn = ALL[1 + (int) Long.remainderUnsigned(Mix.of(bits), ALL.length - 1)];
    boolean needsUri = call == Call.PART || call == Call.COMPLETE;
    return drawn == BARE_URI && needsUri ? BARE_DASHES : drawn;
  }
}
