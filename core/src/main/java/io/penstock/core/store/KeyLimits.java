/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import java.nio.charset.StandardCharsets;

/** The limits of keys: which an object can have, and which a bulk delete can name. */
public final class KeyLimits {
  public static final int MAX_BYTES = 1024;

  private KeyLimits() {}

  /**
   * Returns true if an object can have this key: it has 1 to 1,024 bytes in UTF-8. A key that no
   * object can have was never written, so there is nothing to read or to delete. Stores that keep
   * keys as files have more limits, which only their answers tell.
   */
  public static boolean canExist(String key) {
    int length = lengthBytes(key);
    return length > 0 && length <= MAX_BYTES;
  }

  /** Returns the length that the limit applies to. */
  public static int lengthBytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Returns true if XML 1.0 can carry the key. S3 allows control characters and U+FFFE in keys, and
   * XML does not, not even escaped. A bulk delete that names such a key is refused as a whole.
   */
  public static boolean fitsXml(String key) {
    return key.codePoints().allMatch(KeyLimits::fitsXml);
  }

  private static boolean fitsXml(int codePoint) {
    return codePoint == '\t'
        || codePoint == '\n'
        || codePoint == '\r'
        || (codePoint >= 0x20 && codePoint < Character.MIN_SURROGATE)
        || (codePoint > Character.MAX_SURROGATE && codePoint < 0xFFFE)
        || codePoint >= Character.MIN_SUPPLEMENTARY_CODE_POINT;
  }
}
