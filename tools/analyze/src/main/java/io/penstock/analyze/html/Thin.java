/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.ArrayList;
import java.util.List;

/**
 * Reduces the number of points without a visible change: the smallest and the largest value of each
 * stretch stay.
 */
final class Thin {
  /** More points than a wide screen can show. */
  static final int MOST = 4_000;

  private Thin() {}

  /** Returns the length of a stretch of values that is reduced to two values. */
  static int stretch(int size, int most) {
    return size <= most ? 2 : (int) Math.ceil(2.0 * size / most);
  }

  /**
   * Returns at most this number of values, evenly spaced, two for each stretch. The last stretch
   * may be shorter than the others.
   */
  static List<Double> to(List<Double> values, int most) {
    if (values.size() <= most) {
      return values;
    }
    int stretch = stretch(values.size(), most);
    List<Double> thin = new ArrayList<>();
    for (int from = 0; from < values.size(); from += stretch) {
      int least = from;
      int greatest = from;
      for (int i = from; i < Math.min(from + stretch, values.size()); i++) {
        least = values.get(i) < values.get(least) ? i : least;
        greatest = values.get(i) > values.get(greatest) ? i : greatest;
      }
      thin.add(values.get(Math.min(least, greatest)));
      thin.add(values.get(Math.max(least, greatest)));
    }
    return thin;
  }
}
