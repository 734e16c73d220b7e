/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.meta;

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
  public static final UserMetadata NONE = new UserMetadata(Collections.emptySortedMap());

  /**
   * All stores take so much of names and values. S3 itself takes 2,048 bytes, the write id
   * included; MinIO counts its prefix of each name, too.
   */
  private static final int BYTES_MAX = 1_900;

  private static final String PREFIX = "x-amz-meta-";

  /** Our own name, under which a store keeps the write id. */
  private static final String RESERVED = "penstock-";

  private static final Pattern NAME = Pattern.compile("[a-z0-9!#$%&'*+.^_`|~-]+");

  /** Matches what every server keeps: some cut blanks off the ends, or decode other letters. */
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
      bytes += (PREFIX + name + value).length();
      if (values.put(name, value) != null) {
        throw new IllegalArgumentException(
            "the metadata '%s' is given twice: stores keep names in lower case"
                .formatted(one.getKey()));
      }
    }
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException(
          "an object can have %,d bytes of metadata (%d a name included), not %,d"
              .formatted(BYTES_MAX, PREFIX.length(), bytes));
    }
    return new UserMetadata(values);
  }

  /**
   * Returns what can be sent again as it is: nothing, if another program has written what not all
   * stores take, or return as they got it.
   */
  public UserMetadata sendable() {
    try {
      return of(values);
    } catch (IllegalArgumentException e) {
      return NONE;
    }
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }
}
