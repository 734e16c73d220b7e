/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import java.util.Comparator;

/**
 * The order of S3 listings: keys compared as UTF-8 bytes, which is the order of their code points.
 */
public final class KeyOrder implements Comparator<String> {
  public static final KeyOrder INSTANCE = new KeyOrder();

  private KeyOrder() {}

  @Override
  public int compare(String left, String right) {
    int shared = Math.min(left.length(), right.length());
    for (int i = 0; i < shared; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        return weight(a) - weight(b);
      }
    }
    return left.length() - right.length();
  }

  /**
   * Returns the rank of a UTF-16 unit in UTF-8 order. UTF-16 sorts surrogates (code points over
   * U+FFFF) below U+E000 to U+FFFF; UTF-8 sorts them above.
   */
  private static int weight(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }
}
