/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * One configuration key, declared once: its name, type, default, limits, names in other systems,
 * and the sentence that documents it. Immutable; {@link #defaultsTo}, {@link #mustBe}, {@link
 * #alsoReads} and {@link #doc} return a new key.
 *
 * @param name without the {@code penstock.} prefix
 * @param type as shown to users: text, size, duration, number, whole number, true/false, or the
 *     choices
 * @param parser gets the text without surrounding spaces; throws an IllegalArgumentException whose
 *     message continues the sentence "NAME=VALUE: …"
 * @param defaultText parsed like any other value; empty text for an optional key
 * @param checks all must hold
 * @param aliases names of other systems that are read, in this order, if ours is not set
 * @param meanings how the value under one of the aliases is said in our terms; an alias without an
 *     entry has the same meaning as ours
 * @param foreign whether only the names of other systems are read, and ours is none
 * @param secret whether the value is never shown
 * @param doc one or more sentences for the documentation and for error messages
 */
public record ConfigKey<T>(
    String name,
    String type,
    Function<String, T> parser,
    String defaultText,
    List<Check<T>> checks,
    List<String> aliases,
    Map<String, UnaryOperator<String>> meanings,
    boolean foreign,
    boolean secret,
    String doc) {

  public static final String PREFIX = "penstock.";

  private static final String NONE = "none";

  /** A limit, and its description: the words that follow "must be". */
  public record Check<T>(String words, Predicate<T> holds) {}

  /** Returns the name under which a user sets the key. */
  public String fullName() {
    return foreign ? aliases.get(0) : PREFIX + name;
  }

  /** Returns the names under which the key is set, too, other than its {@link #fullName}. */
  public List<String> otherNames() {
    return foreign ? aliases.subList(1, aliases.size()) : aliases;
  }

  /** A text; empty if it is not set or is blank. */
  public static ConfigKey<Optional<String>> text(String name) {
    return key(name, "text", text -> text.isEmpty() ? Optional.<String>empty() : Optional.of(text));
  }

  /** A text that is never empty. */
  public static ConfigKey<String> word(String name) {
    return key(name, "text", text -> text).mustBe("not empty", text -> !text.isEmpty());
  }

  /** A text that is never shown, also not in errors; empty if it is not set or is blank. */
  public static ConfigKey<Optional<String>> secret(String name) {
    ConfigKey<Optional<String>> text = text(name);
    return new ConfigKey<>(
        name,
        text.type,
        text.parser,
        "",
        text.checks,
        text.aliases,
        Map.of(),
        false,
        true,
        text.doc);
  }

  /** {@code true} or {@code false}, in any case. */
  public static ConfigKey<Boolean> bool(String name) {
    return key(name, "true or false", ConfigKey::parseBoolean);
  }

  /** A whole number of at least 1. */
  public static ConfigKey<Integer> count(String name) {
    return key(name, "whole number", ConfigKey::parseCount).mustBe("at least 1", n -> n >= 1);
  }

  /** A finite decimal number. */
  public static ConfigKey<Double> number(String name) {
    return key(name, "number", ConfigKey::parseNumber);
  }

  /** A number above 0; infinite if it is {@code none} or 0. */
  public static ConfigKey<Double> limit(String name) {
    return key(name, "number, or none", ConfigKey::parseLimit)
        .mustBe("more than 0, or none", limit -> limit > 0)
        .defaultsTo(NONE);
  }

  /** A share of a whole, written {@code 0.02}. */
  public static ConfigKey<Double> fraction(String name) {
    return key(name, "number from 0 to 1", ConfigKey::parseNumber)
        .mustBe("from 0 to 1", share -> share >= 0 && share <= 1);
  }

  /** Bytes, written {@code 8M}, {@code 64 KiB} or as a plain number; units are powers of 1,024. */
  public static ConfigKey<Long> size(String name) {
    return key(name, "size", Sizes::parse);
  }

  /**
   * A duration, written {@code 200ms}, {@code 15s}, {@code 5m} or {@code 1h}; a plain number is
   * milliseconds.
   */
  public static ConfigKey<Duration> duration(String name) {
    return key(name, "duration", Durations::parse).mustBe("not negative", d -> !d.isNegative());
  }

  /** A duration above 0; empty if it is {@code none} or 0. */
  public static ConfigKey<Optional<Duration>> timeLimit(String name) {
    return key(name, "duration, or none", ConfigKey::parseTimeLimit).defaultsTo(NONE);
  }

  /** One constant of an enum, in any case, with {@code -} for {@code _}. */
  public static <E extends Enum<E>> ConfigKey<E> choice(String name, Class<E> choices) {
    List<String> words =
        Arrays.stream(choices.getEnumConstants()).map(constant -> word(constant)).toList();
    return key(
        name,
        String.join(", ", words),
        text -> {
          int index = words.indexOf(text.toLowerCase(Locale.ROOT).replace('_', '-'));
          if (index < 0) {
            throw new IllegalArgumentException("must be one of " + String.join(", ", words));
          }
          return choices.getEnumConstants()[index];
        });
  }

  /** Returns the key with this default, in the form of a setting; it is checked at each use. */
  public ConfigKey<T> defaultsTo(String text) {
    return new ConfigKey<>(
        name, type, parser, text, checks, aliases, meanings, foreign, secret, doc);
  }

  /** Returns the key with one more limit; {@code words} follow "must be" in errors. */
  public ConfigKey<T> mustBe(String words, Predicate<T> holds) {
    List<Check<T>> more = new ArrayList<>(checks);
    more.add(new Check<>(words, holds));
    return new ConfigKey<>(
        name, type, parser, defaultText, more, aliases, meanings, foreign, secret, doc);
  }

  /** Returns the key with these names of other systems, in this order, instead of earlier ones. */
  public ConfigKey<T> alsoReads(String... names) {
    return new ConfigKey<>(
        name, type, parser, defaultText, checks, List.of(names), Map.of(), foreign, secret, doc);
  }

  /**
   * Returns the key with one more name of another system, where a value means something else.
   *
   * @param meaning returns the value in our terms; throws as {@code parser} does
   */
  public ConfigKey<T> alsoReads(String alias, UnaryOperator<String> meaning) {
    List<String> names = new ArrayList<>(aliases);
    names.add(alias);
    Map<String, UnaryOperator<String>> translated = new HashMap<>(meanings);
    translated.put(alias, meaning);
    return new ConfigKey<>(
        name, type, parser, defaultText, checks, names, translated, foreign, secret, doc);
  }

  /** Returns the key, which is set only under these names of other systems. */
  public ConfigKey<T> readsOnly(String... names) {
    return new ConfigKey<>(
        name, type, parser, defaultText, checks, List.of(names), Map.of(), true, secret, doc);
  }

  public ConfigKey<T> doc(String sentence) {
    return new ConfigKey<>(
        name, type, parser, defaultText, checks, aliases, meanings, foreign, secret, sentence);
  }

  /**
   * Returns the value of a text.
   *
   * @param source the name that the user wrote, for the error
   * @param alias the name of another system that this is, for all buckets; empty if it is ours
   * @throws ConfigException naming the source if the text is not a valid value
   */
  T parse(String source, Optional<String> alias, String text) {
    try {
      UnaryOperator<String> meaning = alias.map(meanings::get).orElse(UnaryOperator.identity());
      T value = parser.apply(meaning.apply(text.trim()));
      for (Check<T> check : checks) {
        if (!check.holds().test(value)) {
          throw new IllegalArgumentException("must be " + check.words());
        }
      }
      return value;
    } catch (IllegalArgumentException e) {
      String shown = secret ? "(hidden)" : "'" + text + "'";
      throw new ConfigException("%s=%s: %s. %s".formatted(source, shown, e.getMessage(), doc), e);
    }
  }

  private static <E extends Enum<E>> String word(E constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static boolean parseBoolean(String text) {
    if (text.equalsIgnoreCase("true")) {
      return true;
    }
    if (text.equalsIgnoreCase("false")) {
      return false;
    }
    throw new IllegalArgumentException("must be true or false");
  }

  private static int parseCount(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number", e);
    }
  }

  private static double parseNumber(String text) {
    try {
      double number = Double.parseDouble(text);
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a number", e);
    }
    throw new IllegalArgumentException("must be a finite number");
  }

  private static Optional<Duration> parseTimeLimit(String text) {
    return orNone(text, Durations::parse).filter(limit -> !limit.isZero());
  }

  private static double parseLimit(String text) {
    return orNone(text, ConfigKey::parseNumber)
        .filter(limit -> limit != 0)
        .orElse(Double.POSITIVE_INFINITY);
  }

  private static <T> Optional<T> orNone(String text, Function<String, T> parser) {
    if (text.equalsIgnoreCase(NONE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(parser.apply(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + ", or none", e);
    }
  }

  private static <T> ConfigKey<T> key(String name, String type, Function<String, T> parser) {
    return new ConfigKey<>(
        name, type, parser, "", List.of(), List.of(), Map.of(), false, false, "");
  }
}
