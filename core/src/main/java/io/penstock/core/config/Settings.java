/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The settings of a user, seen from one bucket. A key is looked up under these names, and the first
 * one that is set counts: {@code penstock.bucket.NAME.key}, the key's other names per bucket
 * ({@code fs.s3a.bucket.NAME.…}), {@code penstock.key}, its other names, its default. Names that
 * are set only in a system's own defaults file are ignored.
 */
public final class Settings {
  private static final String OURS_BY_BUCKET = ConfigKey.PREFIX + "bucket.";
  private static final List<String> FAMILIES = List.of("fs.s3a.", "fs.s3.");

  private final NavigableMap<String, String> values;
  private final Optional<String> bucket;
  private final Optional<Function<String, Object>> origin;

  private Settings(
      NavigableMap<String, String> values,
      Optional<String> bucket,
      Optional<Function<String, Object>> origin) {
    this.values = values;
    this.bucket = bucket;
    this.origin = origin;
  }

  /** Returns the settings with these values, by full name, not tied to a bucket. */
  public static Settings of(Map<String, String> values) {
    return new Settings(new TreeMap<>(values), Optional.empty(), Optional.empty());
  }

  /**
   * Returns the same settings as seen from this bucket; an earlier choice of a bucket is replaced.
   */
  public Settings forBucket(String name) {
    return new Settings(values, Optional.of(name), origin);
  }

  /**
   * Returns the same settings with the configuration that they were read from, for classes of the
   * user that are created with one.
   *
   * @param configuration returns the configuration as seen from a bucket
   */
  public Settings withOrigin(Function<String, Object> configuration) {
    return new Settings(values, bucket, Optional.of(configuration));
  }

  /** Returns the configuration of the platform as seen from the bucket, if there is one. */
  public Optional<Object> origin() {
    return origin.map(configuration -> configuration.apply(bucket()));
  }

  /**
   * Returns the bucket.
   *
   * @throws java.util.NoSuchElementException when these settings are not tied to a bucket
   */
  public String bucket() {
    return bucket.orElseThrow();
  }

  /**
   * Returns the value of a key, or its default if none of its names is set.
   *
   * @throws ConfigException when the value that is set is not valid; the message names the setting
   *     and says what would be valid
   */
  public <T> T get(ConfigKey<T> key) {
    Optional<String> source = sourceOf(key);
    return source.isPresent()
        ? key.parse(source.get(), aliasOf(key, source.get()), values.get(source.get()))
        : key.parse(key.fullName(), Optional.empty(), key.defaultText());
  }

  /**
   * Returns what a text that is set means; empty if none is set.
   *
   * @param meaning may fail with a {@link ConfigException} that begins with the key's full name
   * @throws ConfigException of the meaning, with the name under which the text is set
   */
  public <T> Optional<T> get(ConfigKey<Optional<String>> key, Function<String, T> meaning) {
    try {
      return get(key).map(meaning);
    } catch (ConfigException e) {
      String said = e.getMessage();
      String source = sourceOf(key).orElse(key.fullName());
      boolean isNamed = said.matches(Pattern.quote(key.fullName()) + "(?s)[=: ].*");
      if (source.equals(key.fullName()) || !isNamed) {
        throw e;
      }
      throw new ConfigException(source + said.substring(key.fullName().length()), e);
    }
  }

  /** Returns the name under which a key is set, if it is set. */
  public Optional<String> sourceOf(ConfigKey<?> key) {
    return namesOf(key).stream().filter(values::containsKey).findFirst();
  }

  /**
   * Returns the text that is set under a name of another system. A value for the bucket comes
   * first.
   */
  public Optional<String> foreign(String name) {
    List<String> names = new ArrayList<>();
    bucket.ifPresent(b -> names.add(perBucket(name, b)));
    names.add(name);
    return names.stream().map(values::get).filter(Objects::nonNull).findFirst();
  }

  /**
   * Fails if a name under {@code penstock.} belongs to no known key.
   *
   * @throws ConfigException naming the first unknown name and the most similar known name
   */
  public void refuseUnknown(Collection<ConfigKey<?>> known) {
    List<String> names = known.stream().filter(key -> !key.foreign()).map(ConfigKey::name).toList();
    List<String> ever = new ArrayList<>(names);
    ever.addAll(RetiredKeys.names());
    for (String set : values.tailMap(ConfigKey.PREFIX).keySet()) {
      if (!set.startsWith(ConfigKey.PREFIX)) {
        return;
      }
      String name = localName(set, ever);
      if (!names.contains(name)) {
        Optional<String> instead = RetiredKeys.instead(name);
        if (instead.isPresent()) {
          throw new ConfigException("%s is no longer a setting: %s".formatted(set, instead.get()));
        }
        throw new ConfigException(
            "%s is not a setting of Penstock. Did you mean %s%s? All settings are in docs/configuration.md."
                .formatted(set, prefixOf(set, name), NearestName.of(name, names)));
      }
    }
  }

  /**
   * Fails if a known name, for all buckets or for one, has a value that makes no sense.
   *
   * @throws ConfigException naming the setting and what it may be
   */
  public void refuseBadValues(Collection<ConfigKey<?>> known) {
    known.forEach(this::get);
    Map<String, ConfigKey<?>> byName = new HashMap<>();
    known.stream().filter(key -> !key.foreign()).forEach(key -> byName.put(key.name(), key));
    List<String> names = List.copyOf(byName.keySet());
    for (Map.Entry<String, String> set : values.tailMap(OURS_BY_BUCKET).entrySet()) {
      if (!set.getKey().startsWith(OURS_BY_BUCKET)) {
        return;
      }
      ConfigKey<?> key = byName.get(localName(set.getKey(), names));
      if (key != null) {
        key.parse(set.getKey(), Optional.empty(), set.getValue());
      }
    }
  }

  /** Returns true if nothing but some of these names is set. */
  public boolean hasOnly(Collection<String> names) {
    return names.containsAll(values.keySet());
  }

  /** Returns true if any setting is for one bucket only. */
  public boolean hasBuckets() {
    return values.keySet().stream()
        .anyMatch(
            name ->
                name.startsWith(OURS_BY_BUCKET)
                    || FAMILIES.stream().anyMatch(family -> name.startsWith(family + "bucket.")));
  }

  /**
   * Returns the {@code fs.s3a.*} and {@code fs.s3.*} names that are set and that no key reads, in
   * order.
   */
  public List<String> withoutEffect(Collection<ConfigKey<?>> known, Collection<String> alsoKnown) {
    List<String> read = new ArrayList<>(alsoKnown);
    known.forEach(key -> read.addAll(key.aliases()));
    return values.keySet().stream()
        .filter(name -> FAMILIES.stream().anyMatch(name::startsWith))
        .filter(name -> read.stream().noneMatch(alias -> isName(name, alias)))
        .toList();
  }

  private List<String> namesOf(ConfigKey<?> key) {
    List<String> names = new ArrayList<>();
    bucket
        .filter(b -> !key.foreign())
        .ifPresent(b -> names.add(OURS_BY_BUCKET + b + "." + key.name()));
    bucket.ifPresent(b -> key.aliases().forEach(alias -> names.add(perBucket(alias, b))));
    if (!key.foreign()) {
      names.add(key.fullName());
    }
    names.addAll(key.aliases());
    return names;
  }

  private Optional<String> aliasOf(ConfigKey<?> key, String source) {
    return key.aliases().stream()
        .filter(
            alias ->
                source.equals(alias)
                    || bucket.filter(b -> source.equals(perBucket(alias, b))).isPresent())
        .findFirst();
  }

  private static String perBucket(String alias, String bucket) {
    for (String family : FAMILIES) {
      if (alias.startsWith(family)) {
        return family + "bucket." + bucket + "." + alias.substring(family.length());
      }
    }
    return alias;
  }

  /** Returns what stands before the key's own name, such as {@code penstock.bucket.lake.}. */
  private static String prefixOf(String set, String name) {
    return set.endsWith(name) ? set.substring(0, set.length() - name.length()) : ConfigKey.PREFIX;
  }

  /**
   * Returns the key without prefix and bucket. A bucket name may contain dots, so the key is the
   * longest known key at the end of the name.
   */
  private static String localName(String set, List<String> known) {
    if (!set.startsWith(OURS_BY_BUCKET)) {
      return set.substring(ConfigKey.PREFIX.length());
    }
    String inBucket = set.substring(OURS_BY_BUCKET.length());
    return known.stream()
        .filter(name -> inBucket.endsWith("." + name))
        .max(java.util.Comparator.comparingInt(String::length))
        .orElse(
            inBucket.contains(".")
                ? inBucket.replaceFirst("^[^.]*\\.", "")
                : set.substring(ConfigKey.PREFIX.length()));
  }

  /**
   * Returns true if the name is the alias, for all buckets or for one bucket. A bucket's name may
   * contain dots.
   */
  private static boolean isName(String name, String alias) {
    return name.equals(alias)
        || FAMILIES.stream()
            .filter(alias::startsWith)
            .anyMatch(
                family ->
                    name.startsWith(family + "bucket.")
                        && name.endsWith("." + alias.substring(family.length())));
  }
}
