/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.tables.bytes;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes hashes that nobody can choose a text for. */
public final class Sha256 {
  private Sha256() {}

  /** Returns the hash of all parts, one after another. */
  public static byte[] of(byte[]... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        sha.update(part);
      }
      return sha.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
