/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.simulator.cluster.scenario;

import io.penstock.s3model.Latency;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scenario in text form: lines of {@code key: value}, with comments after {@code #}. Every key
 * and value is checked.
 */
public final class ScenarioText {
  private static final Pattern NUMBER =
      Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,6})?)([a-zA-Z]*)");

  private final String name;
  private final Map<ScenarioKey, String> values;

  private ScenarioText(String name, Map<ScenarioKey, String> values) {
    this.name = name;
    this.values = values;
  }

  /**
   * Parses the text of a scenario file. The name is used in tables and error messages.
   *
   * @throws IllegalArgumentException when a line is not {@code key: value} or a key is unknown or
   *     set twice; values are checked by {@link #scenario}
   */
  public static ScenarioText parse(String name, String text) {
    Map<ScenarioKey, String> values = new EnumMap<>(ScenarioKey.class);
    int number = 0;
    for (String raw : text.lines().toList()) {
      number++;
      String line = raw.replaceFirst("(^|\\s)#.*", "").strip();
      if (line.isEmpty()) {
        continue;
      }
      String where = name + ", line " + number + ": ";
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException(where + "'" + line + "' is not 'key: value'");
      }
      ScenarioKey key = key(where, line.substring(0, colon).strip());
      if (values.put(key, line.substring(colon + 1).strip()) != null) {
        throw new IllegalArgumentException(where + key.key() + " is set twice");
      }
    }
    return new ScenarioText(name, values);
  }

  private static ScenarioKey key(String where, String written) {
    try {
      return ScenarioKey.of(written);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + e.getMessage(), e);
    }
  }

  /**
   * Returns the same scenario text with one value changed. The value is not checked here but by
   * {@link #scenario}.
   */
  public ScenarioText with(ScenarioKey key, String value) {
    Map<ScenarioKey, String> changed = new EnumMap<>(ScenarioKey.class);
    changed.putAll(values);
    changed.put(key, value);
    return new ScenarioText(name, changed);
  }

  /**
   * Returns the scenario.
   *
   * @throws IllegalArgumentException when a value is not valid; the message names the key
   */
  public Scenario scenario() {
    try {
      return new Scenario(
          name,
          text(ScenarioKey.TITLE).isEmpty() ? name : text(ScenarioKey.TITLE),
          job(),
          store(),
          tenant(),
          rivals(),
          troubles(),
          time(ScenarioKey.LIMIT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private JobSpec job() {
    return new JobSpec(
        count(ScenarioKey.EXECUTORS),
        count(ScenarioKey.CORES),
        count(ScenarioKey.TASKS),
        count(ScenarioKey.FILES),
        bytes(ScenarioKey.FILE_SIZE),
        choice(ScenarioKey.INLINE, "false", "true").equals("true"),
        bytes(ScenarioKey.PART_SIZE),
        bytes(ScenarioKey.COMPUTE),
        time(ScenarioKey.PER_FILE),
        number(ScenarioKey.SPREAD),
        count(ScenarioKey.READS),
        bytes(ScenarioKey.READ_SIZE),
        Duration.ZERO,
        time(ScenarioKey.SETUP),
        time(ScenarioKey.START_SPREAD));
  }

  private StoreSpec store() {
    return new StoreSpec(
        number(ScenarioKey.WRITES_RATE),
        number(ScenarioKey.READS_RATE),
        time(ScenarioKey.BURST).toNanos() / 1e9,
        number(ScenarioKey.REJECTED_COST),
        number(ScenarioKey.COMPLETE_COST),
        count(ScenarioKey.FRONT_ENDS),
        count(ScenarioKey.PREFIXES),
        choice(ScenarioKey.PARTITIONS, "one", "each").equals("each"),
        number(ScenarioKey.HOT_SHARE),
        times(ScenarioKey.SPLITS),
        number(ScenarioKey.COLD_SHARE),
        time(ScenarioKey.WARM_AFTER),
        read(ScenarioKey.LATENCY, Latency::parse),
        new StormSpec(
            time(ScenarioKey.STORM_AT),
            time(ScenarioKey.STORM_FOR),
            number(ScenarioKey.STORM_SHARE)));
  }

  private TenantSpec tenant() {
    return new TenantSpec(
        number(ScenarioKey.TENANT_SHARE),
        time(ScenarioKey.TENANT_ON),
        time(ScenarioKey.TENANT_OFF));
  }

  private RivalSpec rivals() {
    String policy = choice(ScenarioKey.RIVAL_POLICY, rivalPolicies());
    return new RivalSpec(
        count(ScenarioKey.RIVALS),
        policy.equals("twin") ? null : SendPolicy.of(policy),
        count(ScenarioKey.RIVAL_EXECUTORS),
        count(ScenarioKey.RIVAL_CORES),
        time(ScenarioKey.RIVAL_START));
  }

  private static String[] rivalPolicies() {
    List<String> all = new java.util.ArrayList<>(List.of("twin"));
    Arrays.stream(SendPolicy.values())
        .filter(policy -> policy != SendPolicy.IDEAL)
        .forEach(policy -> all.add(policy.slug()));
    return all.toArray(String[]::new);
  }

  private Disturbances troubles() {
    Duration downFor = time(ScenarioKey.DOWN_FOR);
    return new Disturbances(
        number(ScenarioKey.REPORTS_LOST),
        time(ScenarioKey.LEASE_DELAY),
        downFor.isZero() ? Duration.ofSeconds(-1) : time(ScenarioKey.DOWN_AT),
        downFor,
        count(ScenarioKey.JOINING),
        time(ScenarioKey.JOIN_AT),
        count(ScenarioKey.LEAVING),
        time(ScenarioKey.LEAVE_AT));
  }

  private String text(ScenarioKey key) {
    return values.getOrDefault(key, key.usual());
  }

  private <T> T read(ScenarioKey key, Function<String, T> reader) {
    try {
      return reader.apply(text(key));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key.key() + ": " + e.getMessage(), e);
    }
  }

  private String choice(ScenarioKey key, String... choices) {
    String written = text(key);
    if (!List.of(choices).contains(written)) {
      throw new IllegalArgumentException(
          "%s: '%s' is none of %s".formatted(key.key(), written, String.join(", ", choices)));
    }
    return written;
  }

  private int count(ScenarioKey key) {
    return read(
        key,
        text -> {
          String digits = text.replace(",", "").replace("_", "");
          if (!digits.matches("[0-9]{1,8}")) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number such as 200");
          }
          return Integer.valueOf(digits);
        });
  }

  private double number(ScenarioKey key) {
    return measure(key, "number such as 0.5", Map.of("", 1.0));
  }

  private long bytes(ScenarioKey key) {
    double kib = 1024;
    Map<String, Double> units =
        Map.of("", 1.0, "k", kib, "m", kib * kib, "g", kib * kib * kib, "t", kib * kib * kib * kib);
    return Math.round(measure(key, "size such as 64K, 5.2M or 1G", units));
  }

  private Duration time(ScenarioKey key) {
    return read(key, ScenarioText::duration);
  }

  private List<Duration> times(ScenarioKey key) {
    return text(key).isEmpty()
        ? List.of()
        : read(
            key,
            text ->
                Arrays.stream(text.split(",", -1)).map(piece -> duration(piece.strip())).toList());
  }

  private static Duration duration(String text) {
    double seconds =
        measure(
            text,
            "duration such as 250ms, 5s, 2m or 1h",
            Map.of("ms", 1e-3, "s", 1.0, "m", 60.0, "h", 3600.0));
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private double measure(ScenarioKey key, String what, Map<String, Double> units) {
    return read(key, text -> measure(text, what, units));
  }

  private static double measure(String text, String what, Map<String, Double> units) {
    Matcher matcher = NUMBER.matcher(text);
    Double unit = matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null) {
      throw new IllegalArgumentException("'%s' is not a %s".formatted(text, what));
    }
    return Double.parseDouble(matcher.group(1)) * unit;
  }
}
