/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.retry.RetryConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigKeyTest {
  private enum Colour {
    RED,
    DARK_BLUE
  }

  private static <T> T get(ConfigKey<T> key, String value) {
    return Settings.of(Map.of("penstock.key", value)).get(key);
  }

  private static void assertRefused(ConfigKey<?> key, String value, String because) {
    assertThatThrownBy(() -> get(key.doc("Its sentence."), value))
        .isInstanceOf(ConfigException.class)
        .hasMessage("penstock.key='%s': %s. Its sentence.", value, because);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "8M, 8388608",
    "64 KiB, 65536",
    "64k, 65536",
    "1g, 1073741824",
    "1GB, 1073741824",
    "5T, 5497558138880",
    "1P, 1125899906842624",
    "12 b, 12",
  })
  void sizesAreReadInPowersOf1024(String text, long bytes) {
    assertThat(get(ConfigKey.size("key"), text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5M", "M", "8X", "8MM", "ten", "1234567890123456"})
  void whatIsNoSizeIsRefused(String text) {
    assertRefused(ConfigKey.size("key"), text, "must be a size such as 8M or 64K");
  }

  @Test
  void aSizeThatOverflowsIsRefused() {
    assertRefused(ConfigKey.size("key"), "8192P", "is too large");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1500, 1500",
    "200ms, 200",
    "15s, 15000",
    "15 S, 15000",
    "5m, 300000",
    "1h, 3600000",
    "2d, 172800000",
  })
  void durationsAreReadWithMillisecondsAsThePlainUnit(String text, long millis) {
    assertThat(get(ConfigKey.duration("key"), text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5s", "5 minutes", "s", "1h30m"})
  void whatIsNoDurationIsRefused(String text) {
    assertRefused(ConfigKey.duration("key"), text, "must be a duration such as 200ms, 15s or 5m");
  }

  @Test
  void countsAreWholeNumbersFromOne() {
    assertThat(get(ConfigKey.count("key"), "7")).isEqualTo(7);
    assertRefused(ConfigKey.count("key"), "0", "must be at least 1");
    assertRefused(ConfigKey.count("key"), "-3", "must be at least 1");
    assertRefused(ConfigKey.count("key"), "1.0", "must be a whole number");
    assertRefused(ConfigKey.count("key"), "", "must be a whole number");
    assertRefused(ConfigKey.count("key"), "3000000000", "must be a whole number");
  }

  @Test
  void truthIsTrueOrFalseAndNothingElse() {
    assertThat(get(ConfigKey.bool("key"), "true")).isTrue();
    assertThat(get(ConfigKey.bool("key"), "False")).isFalse();
    assertRefused(ConfigKey.bool("key"), "yes", "must be true or false");
    assertRefused(ConfigKey.bool("key"), "", "must be true or false");
  }

  @Test
  void aChoiceIsOneOfItsWordsInAnyCase() {
    ConfigKey<Colour> key = ConfigKey.choice("key", Colour.class);
    assertThat(key.type()).isEqualTo("red, dark-blue");
    assertThat(get(key, "RED")).isEqualTo(Colour.RED);
    assertThat(get(key, "dark_blue")).isEqualTo(Colour.DARK_BLUE);
    assertThat(get(key, "Dark-Blue")).isEqualTo(Colour.DARK_BLUE);
    assertRefused(key, "green", "must be one of red, dark-blue");
  }

  @Test
  void aTextMayBeEmptyAndAWordNot() {
    assertThat(get(ConfigKey.text("key"), "")).isEmpty();
    assertThat(get(ConfigKey.text("key"), "x")).contains("x");
    assertThat(get(ConfigKey.word("key"), "x")).isEqualTo("x");
    assertRefused(ConfigKey.word("key"), "", "must be not empty");
  }

  @Test
  void theNameTheUserWroteIsTheOneInTheMessage() {
    Map<String, String> values = Map.of("fs.s3a.bucket.lake.retry.limit", "often");
    assertThatThrownBy(() -> RetryConfig.from(Settings.of(values).forBucket("lake")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(
            "fs.s3a.bucket.lake.retry.limit='often': must be a whole number. Maximum number of");
  }

  @ParameterizedTest
  @CsvSource({
    "fs.s3a.retry.limit, 7, 40",
    "fs.s3a.retry.limit, 0, 5",
    "fs.s3a.bucket.lake.retry.limit, 1, 10",
    "fs.s3.maxRetries, 4, 5",
    "penstock.retry.attempts.max, 7, 7"
  })
  void retriesOfOthersAreTranslatedToAttempts(String name, String value, int attempts) {
    Settings settings = Settings.of(Map.of(name, value)).forBucket("lake");
    assertThat(RetryConfig.from(settings).attemptsMax()).isEqualTo(attempts);
  }

  @Test
  void aSecretIsNeverShown() {
    ConfigKey<?> key =
        ConfigKey.secret("key").mustBe("longer", text -> text.isEmpty()).doc("Its sentence.");
    assertThatThrownBy(() -> get(key, "hunter2"))
        .hasMessage("penstock.key=(hidden): must be longer. Its sentence.")
        .hasStackTraceContaining("must be longer")
        .satisfies(
            e -> {
              for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                assertThat(cause.toString()).doesNotContain("hunter2");
              }
            });
  }

  @Test
  void everySettingOfCoreHasASentenceAndADefaultThatIsAllowed() {
    for (ConfigKey<?> key : RetryConfig.KEYS) {
      assertThat(key.doc()).as(key.fullName()).endsWith(".");
      assertThat(Settings.of(Map.of()).get(key)).as(key.fullName()).isNotNull();
    }
  }
}
