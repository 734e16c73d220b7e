/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Names and headers in a process whose language has digits of its own, as Arabic in Egypt. */
@Isolated("changes the language of the whole process")
class LanguagesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Writer WRITER = new Writer(0, "app-1", "host-a", 11, "query-1", "run-a");

  private final Claims claims =
      new Claims(new StoreShelf(new InMemoryStore("lake", new VirtualTime(NOW))));
  private Locale before;

  @BeforeEach
  void change() {
    before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    assertThat("%d".formatted(1)).as("the language has digits of its own").isNotEqualTo("1");
  }

  @AfterEach
  void changeBack() {
    Locale.setDefault(before);
  }

  @Test
  void aWriteIdIsAscii() {
    assertThat(WRITER.at(1).writeId("x")).matches("[ -~]+");
  }

  /** On a mounted filesystem this number is all that keeps an overtaken run from its state. */
  @Test
  void theNewestEpochIsKnown() throws IOException {
    claims.claim(WRITER, NOW);
    claims.claim(WRITER, NOW);
    assertThat(claims.newestEpoch()).isEqualTo(2);
  }

  @Test
  void aQueryCanBeStartedMoreThanAHundredTimes() throws IOException {
    for (int start = 1; start <= 101; start++) {
      assertThat(claims.claim(WRITER, NOW).epoch()).isEqualTo(start);
    }
  }
}
