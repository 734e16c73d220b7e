/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Gzip at the level that costs least: these files are read once and thrown away. */
final class FastGzip extends GZIPOutputStream {
  private static final int BUFFER = 1 << 16;

  FastGzip(OutputStream out) throws IOException {
    super(out, BUFFER);
    def.setLevel(Deflater.BEST_SPEED);
  }
}
