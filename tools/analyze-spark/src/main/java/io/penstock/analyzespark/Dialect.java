/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says in Spark's words what the queries say in those that DuckDB knows:
 *
 * <ul>
 *   <li>Numbers with a point become doubles. Both engines take them for decimals; DuckDB divides
 *       decimals as doubles, Spark rounds the result to a few digits.
 *   <li>A text's quotes are doubled and its backslashes are plain, as in standard SQL. Spark before
 *       4.0 drops doubled quotes, and to every Spark a backslash is more than that.
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

  /** A text as Spark writes it, with {@code spark.sql.parser.escapedStringLiterals} off. */
  static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
