/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The settings that the doctor gives advice about, with their defaults in each release. */
final class EffectiveKeys {
  /** The product whose release determines the default. */
  enum Family {
    HADOOP(4),
    PARQUET(2),
    SPARK(2);

    private final int columns;

    Family(int columns) {
      this.columns = columns;
    }
  }

  /**
   * @param defaults the default in each release; an empty text where there is none
   */
  record Key(String name, Family family, List<String> defaults) {}

  static final List<Key> ALL =
      Lines.of("effective-keys.txt").stream().map(EffectiveKeys::key).toList();

  private EffectiveKeys() {}

  static Optional<Key> find(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  private static Key key(String line) {
    String[] words = line.split(" ", -1);
    Family family = Family.valueOf(words[0].toUpperCase(Locale.ROOT));
    List<String> defaults =
        Arrays.stream(words).skip(2).map(word -> word.equals("-") ? "" : word).toList();
    if (defaults.size() != family.columns) {
      throw new IllegalStateException("effective-keys.txt: " + line);
    }
    return new Key(words[1], family, defaults);
  }
}
