/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.answers.ErrorCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The second table of docs/retries.md is what the error codes are translated to. */
class ErrorPageTest {
  private static final Path PAGE = Path.of("../docs/retries.md");
  private static final Pattern CODE = Pattern.compile("[A-Z][A-Za-z0-9]+[a-z]");
  private static final Pattern STATUS = Pattern.compile("\\d{3}");

  private static List<List<String>> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| `"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::trim).toList())
        .toList();
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(MatchResult::group).toList();
  }

  private static Operation of404(String words) {
    if (words.endsWith("listing")) {
      return Operation.LIST;
    }
    return words.endsWith("upload") ? Operation.UPLOAD_PART : Operation.GET;
  }

  @Test
  void eachCodeAndStatusOfThePageBelongsToItsClass() throws IOException {
    assertThat(rows()).hasSize(Kind.values().length);
    for (List<String> row : rows()) {
      Kind kind = Kind.valueOf(row.get(1).replace("`", ""));
      String[] codes = row.get(2).split("; and for a completion of an upload: ", -1);
      for (String code : found(CODE, codes[0])) {
        assertThat(ErrorCodes.kindOf(Operation.PUT, code, 400)).as(code).isEqualTo(kind);
      }
      for (String code : codes.length == 1 ? List.<String>of() : found(CODE, codes[1])) {
        assertThat(ErrorCodes.kindOf(Operation.COMPLETE_UPLOAD, code, 409))
            .as("%s of a completion", code)
            .isEqualTo(kind);
      }
      for (String status : found(STATUS, row.get(3))) {
        assertThat(ErrorCodes.kindOf(of404(row.get(3)), "", Integer.parseInt(status)))
            .as("%s: %s", kind, status)
            .isEqualTo(kind);
      }
    }
  }

  @Test
  void thePageHasAllCodes() throws IOException {
    List<String> onPage = rows().stream().flatMap(row -> found(CODE, row.get(2)).stream()).toList();
    assertThat(onPage).containsAll(ErrorCodes.known());
  }
}
