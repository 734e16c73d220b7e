/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The limits of keys: which an object can have, which a bulk delete can name, and which some stores
 * refuse. A segment is what stands between two slashes.
 */
public final class KeyLimits {
  public static final int MAX_BYTES = 1024;

  /** The bytes of a segment that file systems allow, and so MinIO, versitygw and others. */
  public static final int SEGMENT_BYTES = 255;

  private static final int SHOWN_CHARACTERS = 40;
  private static final int DELETE = 0x7f;

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

  /** Returns the first segment that XML 1.0 cannot carry. */
  public static Optional<String> segmentBeyondXml(String key) {
    return fitsXml(key)
        ? Optional.empty()
        : Stream.of(key.split("/", -1)).filter(segment -> !fitsXml(segment)).findFirst();
  }

  private static boolean fitsXml(int codePoint) {
    return codePoint == '\t'
        || codePoint == '\n'
        || codePoint == '\r'
        || (codePoint >= 0x20 && codePoint < Character.MIN_SURROGATE)
        || (codePoint > Character.MAX_SURROGATE && codePoint < 0xFFFE)
        || codePoint >= Character.MIN_SUPPLEMENTARY_CODE_POINT;
  }

  /** Returns the first segment that is too long for some stores. */
  public static Optional<String> longSegment(String key) {
    if (key.length() <= SEGMENT_BYTES / 3) { // No char has more than three bytes.
      return Optional.empty();
    }
    for (String segment : key.split("/", -1)) {
      if (lengthBytes(segment) > SEGMENT_BYTES) {
        return Optional.of(segment);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns a sentence about what makes some stores refuse the key, when it is written or when it
   * is deleted; empty if all stores take it.
   */
  public static Optional<String> doubt(String key) {
    Optional<String> tooLong = longSegment(key);
    if (tooLong.isPresent()) {
      return Optional.of(
          "The key's segment '%s' has %,d bytes; many stores allow only %d."
              .formatted(shown(tooLong.get()), lengthBytes(tooLong.get()), SEGMENT_BYTES));
    }
    for (String segment : key.split("/", -1)) {
      if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
        return Optional.of("Many stores refuse the key's segment '" + segment + "'.");
      }
    }
    return key.codePoints()
        .filter(KeyLimits::isOddCharacter)
        .mapToObj("Many stores refuse the character U+%04X in the key."::formatted)
        .findFirst();
  }

  /** Returns true for control characters, and for those that XML 1.0 cannot carry. */
  private static boolean isOddCharacter(int character) {
    return character < ' ' || character == DELETE || !fitsXml(character);
  }

  /** Returns a name for a message: its beginning, with odd characters escaped. */
  public static String shown(String name) {
    StringBuilder shown = new StringBuilder();
    name.codePoints()
        .limit(SHOWN_CHARACTERS)
        .forEach(
            character -> {
              if (isOddCharacter(character)) {
                shown.append("\\u%04x".formatted(character));
              } else {
                shown.appendCodePoint(character);
              }
            });
    return name.codePointCount(0, name.length()) > SHOWN_CHARACTERS
        ? shown + "…"
        : shown.toString();
  }
}
