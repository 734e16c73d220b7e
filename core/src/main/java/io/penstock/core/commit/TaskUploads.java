/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.Part;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.Upload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The pending uploads that a task hands to its job, as bytes. The driver holds those of the whole
 * job, which may have 600,000 files. So the format is compact (about 40 bytes a file beside the key
 * and the upload's id) and versioned.
 *
 * <p>Numbers have seven bits per byte, with the lowest bits first. Texts begin with their length.
 * An ETag that is an MD5, as most are, is stored as a 0 and its 16 bytes. Any other ETag is stored
 * as a text.
 */
public record TaskUploads(List<TaskUpload> uploads) {
  private static final int MAGIC = 0x50534302; // "PSC", version 2
  private static final int MAX_UPLOADS = 10_000_000;
  private static final int MD5_BYTES = 16;
  private static final HexFormat HEX = HexFormat.of();

  public TaskUploads {
    uploads = List.copyOf(uploads);
  }

  public byte[] toBytes() {
    Out out = new Out();
    out.magic();
    out.number(uploads.size());
    uploads.forEach(out::upload);
    return out.bytes.toByteArray();
  }

  /**
   * Reads the bytes that {@link #toBytes} wrote.
   *
   * @throws IOException if the bytes are something else, cut short or of another version
   */
  public static TaskUploads fromBytes(byte[] bytes) throws IOException {
    List<TaskUpload> uploads = new ArrayList<>();
    scan(bytes, start -> uploads.add(at(bytes, start)));
    return new TaskUploads(uploads);
  }

  /**
   * Reads all bytes and reports the position at which each upload begins.
   *
   * @throws IOException as {@link #fromBytes}
   */
  static void scan(byte[] bytes, IntConsumer starts) throws IOException {
    try {
      In in = new In(ByteBuffer.wrap(bytes));
      if (in.bytes.getInt() != MAGIC) {
        throw new IOException(
            "not a task's pending uploads, or of another Penstock version; use one on all nodes");
      }
      long count = in.number();
      if (count > MAX_UPLOADS) {
        throw new IOException("a task's pending uploads are damaged: " + count + " of them");
      }
      for (long i = 0; i < count; i++) {
        int start = in.bytes.position();
        in.upload();
        starts.accept(start);
      }
    } catch (BufferUnderflowException e) {
      throw new IOException("a task's pending uploads are cut short", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("a task's pending uploads are damaged: " + e.getMessage(), e);
    }
  }

  /** Reads the upload that begins at a position which {@link #scan} has reported. */
  static TaskUpload at(byte[] bytes, int start) {
    return new In(ByteBuffer.wrap(bytes).position(start)).upload();
  }

  private static final class Out {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

    void magic() {
      bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(MAGIC).array());
    }

    void upload(TaskUpload upload) {
      text(upload.bucket());
      text(upload.pending().key());
      text(upload.pending().upload().uploadId());
      List<Part> parts = upload.pending().parts();
      number(parts.size());
      for (Part part : parts) {
        number(part.number());
        etag(part.etag());
        number(part.sizeBytes());
      }
    }

    void number(long value) {
      long rest = value;
      while (rest > 0x7f) {
        bytes.write((int) (rest & 0x7f) | 0x80);
        rest >>>= 7;
      }
      bytes.write((int) rest);
    }

    private void text(String text) {
      byte[] content = text.getBytes(StandardCharsets.UTF_8);
      number(content.length);
      bytes.writeBytes(content);
    }

    private void etag(String etag) {
      if (isMd5(etag)) {
        number(0);
        bytes.writeBytes(HEX.parseHex(etag));
      } else {
        text(etag);
      }
    }

    private static boolean isMd5(String etag) {
      return etag.length() == 2 * MD5_BYTES
          && etag.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
  }

  private record In(ByteBuffer bytes) {
    TaskUpload upload() {
      String bucket = text();
      Upload upload = new Upload(text(), text());
      long count = number();
      if (count < 1 || count > Part.MAX_NUMBER) {
        throw new IllegalArgumentException(count + " parts");
      }
      List<Part> parts = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        parts.add(new Part((int) Math.min(number(), Integer.MAX_VALUE), etag(), number()));
      }
      return new TaskUpload(bucket, new PendingUpload(upload, parts));
    }

    /** Returns a number that is not negative. */
    long number() {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
        byte next = bytes.get();
        value |= (long) (next & 0x7f) << shift;
        if (next >= 0) {
          return value;
        }
      }
      throw new IllegalArgumentException("a number of more than 63 bits");
    }

    private String text() {
      return new String(content(number()), StandardCharsets.UTF_8);
    }

    private String etag() {
      long length = number();
      return length == 0
          ? HEX.formatHex(content(MD5_BYTES))
          : new String(content(length), StandardCharsets.UTF_8);
    }

    private byte[] content(long length) {
      if (length > bytes.remaining()) {
        throw new BufferUnderflowException();
      }
      byte[] content = new byte[(int) length];
      bytes.get(content);
      return content;
    }
  }
}
