/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.text;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Compresses with gzip at the fastest level, because the files are read once and then deleted. */
public final class FastGzip extends GZIPOutputStream {
  private static final int BUFFER = 1 << 16;

  /** Creates a stream that compresses into another one. */
  public FastGzip(OutputStream out) throws IOException {
    super(out, BUFFER);
    def.setLevel(Deflater.BEST_SPEED);
  }
}
