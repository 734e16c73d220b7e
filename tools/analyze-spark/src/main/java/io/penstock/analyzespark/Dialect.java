/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates queries from the SQL that DuckDB understands into Spark's:
 *
 * <ul>
 *   <li>Numbers with a decimal point become doubles. Both engines treat them as decimals, but
 *       DuckDB divides decimals as doubles, while Spark rounds the result to a few digits.
 *   <li>In a string literal, quotes are doubled and backslashes have no special meaning, as in
 *       standard SQL. Spark before 4.0 drops doubled quotes, and every version of Spark treats a
 *       backslash as an escape.
 * </ul>
 */
final class Dialect {
  private static final Pattern TOKENS =
      Pattern.compile(
          "(?<comment>--[^\n]*+)"
              + "|'(?<text>[^']*+(?:''[^']*+)*+)'"
              + "|(?<number>(?<![\\w.])\\d++\\.\\d++(?![\\w.]))");

  private Dialect() {}

  static String spark(String sql) {
    return TOKENS.matcher(sql).replaceAll(token -> Matcher.quoteReplacement(spark(token)));
  }

  private static String spark(java.util.regex.MatchResult token) {
    String text = token.group(2);
    if (text != null) {
      return literal(text.replace("''", "'"));
    }
    return token.group(3) == null ? token.group() : token.group() + "D";
  }

  /**
   * Returns a text as a string literal of Spark, for {@code spark.sql.parser.escapedStringLiterals}
   * off.
   */
  static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
