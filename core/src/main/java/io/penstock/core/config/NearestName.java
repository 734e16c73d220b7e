/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the known name that is most similar to a mistyped name. */
public final class NearestName {
  private static final int SLIP = 2;

  private NearestName() {}

  /**
   * Returns the known name with the smallest {@link #distance}; the first one of several.
   *
   * @throws java.util.NoSuchElementException when there are no known names
   */
  public static String of(String name, List<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
        .orElseThrow();
  }

  /**
   * Returns the nearest known name if it differs by a slip of the pen: by one or two edits. With
   * more, the name is more likely a valid one that is missing among the known.
   */
  public static Optional<String> slip(String name, List<String> known) {
    String nearest = of(name, known);
    int distance = distance(name, nearest);
    return distance > 0 && distance <= SLIP ? Optional.of(nearest) : Optional.empty();
  }

  /** Returns Levenshtein's distance: the number of single-character edits. */
  public static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
