/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The SQL statements of a page of the documentation, or of a file of SQL. */
final class Statements {
  private static final Pattern BLOCK = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMENT = Pattern.compile("(?m)^--.*$");

  private Statements() {}

  static List<String> of(Path page) throws IOException {
    String text = Files.readString(page);
    Stream<String> blocks =
        page.toString().endsWith(".sql")
            ? Stream.of(COMMENT.matcher(text).replaceAll(""))
            : BLOCK.matcher(text).results().map(block -> block.group(1));
    return blocks
        .flatMap(block -> Arrays.stream(block.split(";", -1)))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }
}
