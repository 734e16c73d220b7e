/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.duckdb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Stores a checksum beside a file and verifies it. A file that was truncated or damaged after it
 * was written would give wrong numbers.
 */
final class Seal {
  private static final int BUFFER_BYTES = 1 << 18;

  private Seal() {}

  static void put(Path file) throws IOException {
    Files.writeString(beside(file), sum(file));
  }

  /** Returns true if the file exists and has not changed since it was sealed. */
  static boolean holds(Path file) throws IOException {
    return Files.exists(file)
        && Files.exists(beside(file))
        && Files.readString(beside(file)).equals(sum(file));
  }

  private static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + ".sum");
  }

  private static String sum(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    long bytes = 0;
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        crc.update(buffer, 0, count);
        bytes += count;
      }
    }
    return bytes + " " + HexFormat.of().toHexDigits(crc.getValue(), 8);
  }
}
