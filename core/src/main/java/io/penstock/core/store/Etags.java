/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import io.penstock.core.store.parts.Part;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * Compares ETags, and computes those that S3 gives to objects that are not encrypted with KMS or
 * customer keys. ETags are written without quotes. Only a weak one keeps its form {@code W/"…"}; a
 * proxy that changes answers on their way makes a strong ETag weak.
 */
public final class Etags {
  private static final String WEAK = "W/\"";
  private static final String OF_TIME = WEAK + "time-";

  private Etags() {}

  /** Returns true if the ETag is weak. A store takes no weak ETag as a condition. */
  public static boolean isWeak(String etag) {
    return etag.startsWith(WEAK);
  }

  /** Returns true if the ETags are of the same version, whether they are weak or strong. */
  public static boolean match(String one, String other) {
    return opaque(one).equals(opaque(other));
  }

  /**
   * Returns the weak ETag that Penstock gives to an object for which the store has none, such as a
   * file that was placed in the directory of a gateway. It tells versions apart only if their sizes
   * or the seconds in which they were modified differ.
   */
  public static String ofTime(Instant lastModified, long sizeBytes) {
    return OF_TIME + lastModified.getEpochSecond() + "-size-" + sizeBytes + '"';
  }

  /** Returns true if the ETag is one of {@link #ofTime}. */
  public static boolean isOfTime(String etag) {
    return etag.startsWith(OF_TIME);
  }

  private static String opaque(String etag) {
    return isWeak(etag) && etag.endsWith("\"")
        ? etag.substring(WEAK.length(), Math.max(WEAK.length(), etag.length() - 1))
        : etag;
  }

  /**
   * Returns the ETag of an object written by one PUT: the MD5 of its content in lower-case
   * hexadecimal, without quotes.
   *
   * @throws IOException when the body cannot be read
   */
  public static String ofContent(Body body) throws IOException {
    MessageDigest digest = md5();
    byte[] buffer = new byte[(int) Math.max(1, Math.min(64 << 10, body.sizeBytes()))];
    try (InputStream in = body.open()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Returns the ETag of a completed upload: the MD5 of the parts' MD5s, a dash, and the number of
   * parts; in lower-case hexadecimal, without quotes.
   *
   * @param parts those that the completion names, in its order
   * @throws IllegalArgumentException when a part's ETag is not an MD5 in hexadecimal
   */
  public static String ofParts(List<Part> parts) {
    MessageDigest digest = md5();
    parts.forEach(part -> digest.update(HexFormat.of().parseHex(part.etag())));
    return HexFormat.of().formatHex(digest.digest()) + "-" + parts.size();
  }

  /**
   * Returns true if the ETag is that of an upload of these parts. Where the parts' ETags are not
   * MD5s, nothing proves it, and the answer is false.
   */
  public static boolean isOfParts(String etag, List<Part> parts) {
    try {
      return match(etag, ofParts(parts));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
