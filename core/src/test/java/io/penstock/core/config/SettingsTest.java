/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private static final ConfigKey<Optional<String>> ENDPOINT =
      ConfigKey.text("endpoint").alsoReads("fs.s3a.endpoint", "fs.s3.endpoint").doc("Where.");
  private static final ConfigKey<Integer> ATTEMPTS =
      ConfigKey.count("retry.attempts.max").defaultsTo("12").doc("How often.");
  private static final List<ConfigKey<?>> KEYS = List.of(ENDPOINT, ATTEMPTS);

  @Test
  void theMoreSpecialNameCountsFirstAndOursBeforeTheOthers() {
    List<String> names =
        List.of(
            "penstock.bucket.lake.endpoint",
            "fs.s3a.bucket.lake.endpoint",
            "fs.s3.bucket.lake.endpoint",
            "penstock.endpoint",
            "fs.s3a.endpoint",
            "fs.s3.endpoint");
    Map<String, String> values = new HashMap<>();
    names.forEach(name -> values.put(name, "value of " + name));

    for (String name : names) {
      Settings settings = Settings.of(values).forBucket("lake");
      assertThat(settings.get(ENDPOINT)).contains("value of " + name);
      assertThat(settings.sourceOf(ENDPOINT)).contains(name);
      values.remove(name);
    }
    assertThat(Settings.of(values).forBucket("lake").get(ENDPOINT)).isEmpty();
  }

  @Test
  void anotherBucketsSettingsDoNotCount() {
    Settings settings = Settings.of(Map.of("penstock.bucket.pond.endpoint", "there"));
    assertThat(settings.forBucket("lake").get(ENDPOINT)).isEmpty();
    assertThat(settings.forBucket("pond").get(ENDPOINT)).contains("there");
    assertThat(settings.get(ENDPOINT)).isEmpty();
  }

  @Test
  void aBucketsNameMayHaveDots() {
    Settings settings =
        Settings.of(
            Map.of(
                "penstock.bucket.my.lake.eu.endpoint", "ours",
                "fs.s3a.bucket.your.lake.endpoint", "theirs"));
    assertThat(settings.forBucket("my.lake.eu").get(ENDPOINT)).contains("ours");
    assertThat(settings.forBucket("your.lake").get(ENDPOINT)).contains("theirs");
    assertThatCode(() -> settings.refuseUnknown(KEYS)).doesNotThrowAnyException();
    assertThat(settings.withoutEffect(KEYS, List.of())).isEmpty();
  }

  @Test
  void theDefaultCountsWhenNothingIsSet() {
    assertThat(Settings.of(Map.of()).get(ATTEMPTS)).isEqualTo(12);
  }

  @Test
  void aValueIsReadWithoutTheSpacesAroundIt() {
    assertThat(Settings.of(Map.of("penstock.retry.attempts.max", " 3\n")).get(ATTEMPTS))
        .isEqualTo(3);
  }

  @Test
  void aMistypedNameIsRefusedWithTheOneThatWasProbablyMeant() {
    Map<String, String> meant =
        Map.of(
            "penstock.retry.atempts.max", "penstock.retry.attempts.max",
            "penstock.endpont", "penstock.endpoint",
            "penstock.bucket.lake.endpont", "penstock.bucket.lake.endpoint",
            "penstock.bucket.endpoint", "penstock.endpoint");
    meant.forEach(
        (typed, known) ->
            assertThatThrownBy(() -> Settings.of(Map.of(typed, "x")).refuseUnknown(KEYS))
                .as(typed)
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                    "%s is not a setting of Penstock. Did you mean %s? All settings are in"
                        + " docs/configuration.md.",
                    typed, known));
  }

  @Test
  void aSlipInANameOfAnotherSystemIsFound() {
    List<String> known = List.of("fs.s3a.endpoint");
    assertThat(NearestName.slip("fs.s3a.endpont", known)).contains("fs.s3a.endpoint");
    assertThat(NearestName.slip("fs.s3a.endpoint", known)).isEmpty();
    assertThat(NearestName.slip("fs.s3a.committer.name", known)).isEmpty();
  }

  @Test
  void namesOfOthersAreNotOursToRefuse() {
    assertThatCode(
            () ->
                Settings.of(
                        Map.of(
                            "fs.s3a.nonsense", "x", "penstocks.x", "x", "a", "x", "spark.x", "x"))
                    .refuseUnknown(KEYS))
        .doesNotThrowAnyException();
  }

  @Test
  void settingsOfOthersThatNobodyReadsAreNamedInOrder() {
    Settings settings =
        Settings.of(
            Map.of(
                "fs.s3a.fast.upload", "true",
                "fs.s3a.bucket.lake.committer.name", "magic",
                "fs.s3.consistent", "true",
                "fs.s3a.impl", "x",
                "fs.s3a.endpoint", "x",
                "fs.s3a.bucket.lake.endpoint", "x",
                "fs.s3.endpoint", "x",
                "dfs.x", "x"));
    assertThat(settings.withoutEffect(KEYS, List.of("fs.s3a.impl")))
        .containsExactly(
            "fs.s3.consistent", "fs.s3a.bucket.lake.committer.name", "fs.s3a.fast.upload");
  }

  @Test
  void aForeignNameIsReadPerBucketFirst() {
    Settings settings =
        Settings.of(Map.of("fs.s3a.x", "all", "fs.s3a.bucket.lake.x", "lake")).forBucket("lake");
    assertThat(settings.foreign("fs.s3a.x")).contains("lake");
    assertThat(settings.forBucket("pond").foreign("fs.s3a.x")).contains("all");
    assertThat(settings.foreign("fs.s3a.y")).isEmpty();
  }
}
