/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.intent.CommitConfig;
import io.penstock.core.commit.intent.InlineConfig;
import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.deadline.DeadlineConfig;
import io.penstock.core.flush.FlushedWriter;
import io.penstock.core.hedge.HedgeConfig;
import io.penstock.core.listing.ListConfig;
import io.penstock.core.metrics.RequestLog;
import io.penstock.core.pool.LanePool;
import io.penstock.core.rate.RateConfig;
import io.penstock.core.read.ReadConfig;
import io.penstock.core.retry.RetryConfig;
import io.penstock.core.upload.UploadConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key of this module, set by its name to another value, changes what is configured. */
class KeysReachTheirConfigTest {
  private static final List<Function<Settings, Record>> CONFIGS =
      List.of(
          UploadConfig::from,
          ReadConfig::from,
          ListConfig::from,
          RetryConfig::from,
          RateConfig::from,
          HedgeConfig::from,
          DeadlineConfig::from,
          CommitConfig::from,
          InlineConfig::from);

  /** These are read without a record; HouseTest sees that every key is read. */
  private static final List<ConfigKey<?>> WITHOUT_RECORD =
      List.of(
          CommitConfig.ID,
          CommitConfig.MARKER,
          FlushedWriter.INTERVAL,
          LanePool.THREADS,
          RequestLog.DIRECTORY);

  /** Some value of each kind. */
  private static final List<String> VALUES =
      List.of("true", "false", "7M", "900M", "70K", "7", "700s", "some-text");

  static Stream<ConfigKey<?>> keys() {
    return new CoreKeys().keys().stream().filter(key -> !WITHOUT_RECORD.contains(key));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aKeyThatIsSetChangesARecord(ConfigKey<?> key) {
    String value = other(key);
    List<Record> usual = configs(Settings.of(Map.of()));
    assertThat(configs(Settings.of(Map.of(key.fullName(), value)))).isNotEqualTo(usual);
    if (key.foreign()) {
      return;
    }
    Settings ofBucket = Settings.of(Map.of("penstock.bucket.lake." + key.name(), value));
    assertThat(configs(ofBucket.forBucket("lake"))).isNotEqualTo(usual);
    assertThat(configs(ofBucket.forBucket("pond"))).isEqualTo(usual);
  }

  private static List<Record> configs(Settings settings) {
    return CONFIGS.stream().map(from -> from.apply(settings)).toList();
  }

  /** Returns a value that the key may have and that is not its default. */
  private static <T> String other(ConfigKey<T> key) {
    T usual = Settings.of(Map.of()).get(key);
    return Stream.concat(VALUES.stream(), Stream.of(key.type().split(", ")))
        .filter(text -> parsed(key, text).filter(value -> !value.equals(usual)).isPresent())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no other value known for " + key.fullName()));
  }

  private static <T> Optional<T> parsed(ConfigKey<T> key, String text) {
    try {
      return Optional.of(Settings.of(Map.of(key.fullName(), text)).get(key));
    } catch (ConfigException e) {
      return Optional.empty();
    }
  }
}
