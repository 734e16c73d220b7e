/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.request.Attempt;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import software.amazon.awssdk.http.ContentStreamProvider;

/**
 * The body of a signed request. The SDK's provider gives it out once: asked again it resets the
 * same stream, and fails beyond its mark, or closes it (S3A). So only a body that is small enough
 * to be copied can be sent a second time.
 */
final class CopiedBody {
  static final int EACH_MAX = 8 << 20;

  private final ContentStreamProvider source;
  private final long sizeBytes;
  private final Room room;
  private byte[] copy;

  /**
   * @param sizeBytes negative if it is not known
   * @param room of the copies of this body and of others
   */
  CopiedBody(ContentStreamProvider source, long sizeBytes, Room room) {
    this.source = source;
    this.sizeBytes = sizeBytes;
    this.room = room;
  }

  /**
   * Copies the body if it is small and there is room.
   *
   * @throws IOException when it cannot be read
   */
  void copy() throws IOException {
    if (sizeBytes < 0 || sizeBytes > EACH_MAX) {
      return;
    }
    if (!room.take(sizeBytes)) {
      return;
    }
    byte[] read = null;
    try (InputStream in = source.newStream()) {
      read = in.readNBytes((int) sizeBytes);
      if (read.length != sizeBytes || in.read() >= 0) {
        read = null;
        throw new IOException("the body does not have the " + sizeBytes + " bytes that it should");
      }
    } finally {
      if (read == null) {
        room.giveBack(sizeBytes);
      }
    }
    copy = read;
  }

  /** Returns the copied bytes; empty if the body can be sent only once. */
  Optional<byte[]> copied() {
    return Optional.ofNullable(copy);
  }

  long sizeBytes() {
    return Math.max(0, sizeBytes);
  }

  /** Gives back the room of the copy. Attempts that are still under way may go on reading. */
  void free() {
    if (copy != null) {
      room.giveBack(sizeBytes);
    }
  }

  /** Returns the body as an attempt sends it, which then knows its progress. */
  ContentStreamProvider of(Attempt attempt) {
    byte[] bytes = copy;
    return () ->
        new Metered(
            bytes == null ? source.newStream() : new ByteArrayInputStream(bytes),
            attempt,
            sizeBytes);
  }

  private static final class Metered extends FilterInputStream {
    private final Attempt attempt;
    private long left;

    Metered(InputStream in, Attempt attempt, long sizeBytes) {
      super(in);
      this.attempt = attempt;
      this.left = sizeBytes;
    }

    @Override
    public int read() throws IOException {
      int b = in.read();
      moved(b < 0 ? -1 : 1);
      return b;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = in.read(into, offset, length);
      moved(count);
      return count;
    }

    private void moved(int count) {
      if (count > 0) {
        attempt.moved(count);
        left -= count;
      }
      if (count < 0 || left == 0) {
        attempt.sent();
      }
    }
  }
}
