/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The decompressed bytes of a file. If the compressed bytes are truncated, damaged or a
 * decompression bomb, the stream ends there, so that the bytes before are not lost, and {@link
 * #damage} returns the reason. Reading fails only when the file itself cannot be read. At most two
 * nested compressions are decompressed.
 */
public final class Unpacked extends BulkStream {
  private final Packing packing;
  private final Source source;
  private final Unpacked inner;
  private final Source packedFile;
  private final UnpackLimit limit;
  private InputStream in;
  private long bytes;
  private boolean ended;
  private String damage;

  private Unpacked(Source source, Unpacked inner, Source packedFile, UnpackLimit limit)
      throws IOException {
    this.source = source;
    this.inner = inner;
    this.packedFile = packedFile;
    this.limit = limit;
    this.packing = Packing.of(source.peek(Packing.HEAD_BYTES));
  }

  /** Opens a file and starts to decompress it. */
  public static Unpacked open(LogSource source) throws IOException {
    // A log may be many thousands of small files.
    long enough = Math.max(Packing.HEAD_BYTES, source.sizeBytes());
    int bufferBytes = (int) Math.min(Source.BUFFER_BYTES, enough);
    return open(source.open(0), UnpackLimit.DEFAULT, bufferBytes);
  }

  public static Unpacked open(InputStream packed) throws IOException {
    return open(packed, UnpackLimit.DEFAULT);
  }

  /**
   * Starts to decompress a stream.
   *
   * @param packed is closed together with this stream, or when this method fails
   */
  public static Unpacked open(InputStream packed, UnpackLimit limit) throws IOException {
    return open(packed, limit, Source.BUFFER_BYTES);
  }

  private static Unpacked open(InputStream packed, UnpackLimit limit, int bufferBytes)
      throws IOException {
    try {
      Source file = new Source(packed, bufferBytes);
      Unpacked once = new Unpacked(file, null, file, limit);
      if (once.packing == Packing.PLAIN) {
        return once;
      }
      return new Unpacked(new Source(once, Source.BUFFER_BYTES), once, file, limit);
    } catch (IOException | RuntimeException e) {
      packed.close();
      throw e;
    }
  }

  /** Returns the compressions, outermost first; empty for an uncompressed file. */
  public List<Packing> packings() {
    List<Packing> packings = new ArrayList<>(inner == null ? List.of() : inner.packings());
    if (packing != Packing.PLAIN) {
      packings.add(packing);
    }
    return packings;
  }

  /**
   * Returns the reason why the stream ended before the whole file was decompressed, such as "is cut
   * off: its gzip data have no end". The reason is known once the stream has ended.
   */
  public Optional<String> damage() {
    Optional<String> before = inner == null ? Optional.empty() : inner.damage();
    return before.isPresent() ? before : Optional.ofNullable(damage);
  }

  /** Returns the number of decompressed bytes that were read. */
  public long bytes() {
    return bytes;
  }

  /** Returns the number of compressed bytes that were consumed. */
  public long packedBytes() {
    return packedFile.taken();
  }

  @Override
  public int read(byte[] target, int start, int count) throws IOException {
    if (ended) {
      return -1;
    }
    int got;
    try {
      if (in == null) {
        in = packing.unpack(source);
      }
      got = in.read(target, start, count);
    } catch (IOException | RuntimeException e) {
      endWith(e);
      return -1;
    }
    if (got < 0) {
      ended = true;
      return -1;
    }
    bytes += got;
    if (packing != Packing.PLAIN && limit.isExceeded(packedFile.taken(), bytes)) {
      ended = true;
      damage = limit.reason(bytes);
    }
    return got;
  }

  private void endWith(Exception e) throws IOException {
    Optional<IOException> failure = packedFile.failure();
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (packing == Packing.PLAIN) {
      throw e instanceof IOException io ? io : new IOException(e);
    }
    ended = true;
    damage =
        isCutOff(e)
            ? "is cut off: its %s data have no end".formatted(packing.title())
            : "is damaged: its %s data cannot be unpacked any further (%s)"
                .formatted(packing.title(), e.getMessage());
  }

  /**
   * Returns true if the exception says that the data is truncated. Some libraries say so only in
   * the message.
   */
  private static boolean isCutOff(Exception e) {
    String message = String.valueOf(e.getMessage());
    return e instanceof EOFException
        || message.contains("Truncated source")
        || message.contains("ended prematurely");
  }

  @Override
  public void close() throws IOException {
    if (in != null) {
      in.close();
    } else {
      source.close();
    }
  }
}
