/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the writer of an object has said about it, by name. The store keeps it with the object,
 * which has it as long as it exists. S3 calls it user-defined metadata.
 *
 * @param values by name; names are in lower case, as stores return them
 */
public record UserMetadata(SortedMap<String, String> values) {
  public static final UserMetadata NONE = new UserMetadata(new TreeMap<>());

  /** S3's limit of all names and values. */
  private static final int BYTES_MAX = 2 << 10;

  /** Our own name, under which a store keeps the write id. */
  private static final String RESERVED = "penstock-";

  private static final Pattern NAME = Pattern.compile("[a-z0-9!#$%&'*+.^_`|~-]+");

  /** What every server keeps as it is: some cut blanks off the ends, or decode other letters. */
  private static final Pattern VALUE = Pattern.compile("[!-~]([ -~]*[!-~])?");

  public UserMetadata {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /**
   * Returns what a user has asked for.
   *
   * @throws IllegalArgumentException if stores do not keep it as it is; the message says why
   */
  public static UserMetadata of(Map<String, String> asked) {
    SortedMap<String, String> values = new TreeMap<>();
    int bytes = 0;
    for (Map.Entry<String, String> one : asked.entrySet()) {
      String name = one.getKey().toLowerCase(Locale.ROOT);
      String value = one.getValue();
      if (!NAME.matcher(name).matches() || name.startsWith(RESERVED)) {
        throw new IllegalArgumentException(
            "an object cannot have metadata with the name '%s': letters, digits and - . _ are allowed, and no name may begin with %s"
                .formatted(one.getKey(), RESERVED));
      }
      if (!VALUE.matcher(value).matches()) {
        throw new IllegalArgumentException(
            "the metadata '%s' must have a value of printable ASCII, without blanks at its ends"
                .formatted(one.getKey()));
      }
      bytes += (name + value).getBytes(StandardCharsets.UTF_8).length;
      if (values.put(name, value) != null) {
        throw new IllegalArgumentException(
            "the metadata '%s' is given twice: names differ in more than upper and lower case"
                .formatted(one.getKey()));
      }
    }
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException(
          "an object can have %,d bytes of metadata, not %,d".formatted(BYTES_MAX, bytes));
    }
    return new UserMetadata(values);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }
}
