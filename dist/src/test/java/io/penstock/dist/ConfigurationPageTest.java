/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/configuration.md is made from the keys' declarations. To make it anew: {@code
 * ./mvnw verify -Dpenstock.docs.update=true}.
 */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("../docs/configuration.md");
  private static final String BEGIN = "<!-- keys: made by ConfigurationPageTest -->\n";
  private static final String END = "<!-- end of keys -->\n";

  private static final List<ConfigKey<?>> KEYS =
      StoreStack.keys(ConfigurationPageTest.class.getClassLoader());

  @Test
  void thePageShowsTheKeysAsTheyAreDeclared() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    if (Boolean.getBoolean("penstock.docs.update")) {
      Files.writeString(PAGE, page.substring(0, begin) + table() + page.substring(end));
    }
    assertThat(Files.readString(PAGE)).contains(BEGIN + table() + END);
  }

  @Test
  void everyKeyHasASentenceAndADefaultThatIsAllowed() {
    Settings nothingSet = Settings.of(Map.of());
    for (ConfigKey<?> key : KEYS) {
      assertThat(key.doc()).as(key.fullName()).endsWith(".").hasSizeLessThan(200);
      nothingSet.get(key);
    }
  }

  @Test
  void noTwoKeysHaveTheSameName() {
    assertThat(KEYS).extracting(ConfigKey::name).doesNotHaveDuplicates();
  }

  private static String table() {
    StringBuilder table =
        new StringBuilder("| setting | default | meaning | also read |\n|---|---|---|---|\n");
    for (ConfigKey<?> key : KEYS) {
      table.append(
          "| `%s`<br>%s | %s | %s | %s |\n"
              .formatted(
                  key.fullName(),
                  key.type(),
                  key.defaultText().isEmpty() ? "–" : "`" + key.defaultText() + "`",
                  key.doc().replace("|", "\\|"),
                  aliases(key)));
    }
    return table.toString();
  }

  private static String aliases(ConfigKey<?> key) {
    return key.otherNames().isEmpty() ? "–" : "`" + String.join("`, `", key.otherNames()) + "`";
  }
}
