/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import io.penstock.core.store.Body;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * The files that a task hands to its job, as bytes. The driver holds those of the whole job, which
 * may have 600,000 files. So the format is compact (about 40 bytes a file beside the key and the
 * upload's id) and versioned.
 *
 * <p>Numbers have seven bits per byte, with the lowest bits first. Texts begin with their length.
 * An ETag that is an MD5, as most are, is stored as a 0 and its 16 bytes. Any other ETag is stored
 * as a text. The number of an upload's parts is not 0; a 0 there announces an inline file: its MD5,
 * its size, and a 1 and its content, or a 0. A number that no upload has announces a restored file.
 */
public record TaskFiles(List<TaskFile> files) {
  private static final int MAGIC = 0x50534303; // "PSC", version 3
  private static final int RESTORED = Part.MAX_NUMBER + 1;
  private static final int MAX_FILES = 10_000_000;
  private static final int MAX_ROOM = 64 << 20;
  private static final int MD5_BYTES = 16;
  private static final HexFormat HEX = HexFormat.of();

  public TaskFiles {
    files = List.copyOf(files);
  }

  /**
   * Returns the files as bytes, in the format that the comment of this class describes. The write
   * ids of their uploads are not kept.
   */
  public byte[] toBytes() {
    Out out = new Out(files.stream().mapToLong(TaskFiles::roomOf).sum());
    out.magic();
    out.number(files.size());
    files.forEach(out::file);
    return out.bytes.toByteArray();
  }

  /** Returns about the number of bytes that a file takes, so that a large message is not copied. */
  private static long roomOf(TaskFile file) {
    long content =
        file instanceof InlineFile inline && inline.content().isPresent() ? inline.sizeBytes() : 0;
    return content + 2L * file.key().length() + 256;
  }

  /**
   * Reads the bytes that {@link #toBytes} wrote.
   *
   * @param bytes not copied, because inline files refer to them; must not change
   * @throws IOException if the bytes are something else, cut short or of another version
   */
  public static TaskFiles fromBytes(byte[] bytes) throws IOException {
    List<TaskFile> files = new ArrayList<>();
    scan(bytes, start -> files.add(at(bytes, start)));
    return new TaskFiles(files);
  }

  /**
   * Reads all bytes and reports the position at which each file begins.
   *
   * @throws IOException as {@link #fromBytes}
   */
  static void scan(byte[] bytes, IntConsumer starts) throws IOException {
    try {
      In in = new In(ByteBuffer.wrap(bytes));
      if (in.bytes.getInt() != MAGIC) {
        throw new IOException(
            "the data is not the list of a task's files, or comes from another version of Penstock;"
                + " use the same version on all nodes");
      }
      long count = in.number();
      if (count > MAX_FILES) {
        throw new IOException(
            "the list of a task's files is damaged: it has " + count + " entries");
      }
      for (long i = 0; i < count; i++) {
        int start = in.bytes.position();
        in.file();
        starts.accept(start);
      }
    } catch (BufferUnderflowException e) {
      throw new IOException("the list of a task's files is cut short", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("the list of a task's files is damaged: " + e.getMessage(), e);
    }
  }

  /** Reads the file that begins at a position which {@link #scan} has reported. */
  static TaskFile at(byte[] bytes, int start) {
    return new In(ByteBuffer.wrap(bytes).position(start)).file();
  }

  private static final class Out {
    private final ByteArrayOutputStream bytes;

    Out(long room) {
      bytes = new ByteArrayOutputStream((int) Math.min(room, MAX_ROOM));
    }

    void magic() {
      bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(MAGIC).array());
    }

    void file(TaskFile file) {
      text(file.bucket());
      text(file.key());
      if (file instanceof InlineFile inline) {
        inline(inline);
      } else if (file instanceof RestoredFile restored) {
        number(RESTORED);
        number(restored.sizeBytes());
        etag(restored.etag());
        number(restored.markers().size());
        restored.markers().forEach(this::text);
      } else {
        upload((TaskUpload) file);
      }
    }

    private void inline(InlineFile file) {
      number(0);
      bytes.writeBytes(HEX.parseHex(file.md5()));
      number(file.sizeBytes());
      number(file.content().isPresent() ? 1 : 0);
      file.content().ifPresent(this::content);
    }

    private void content(Body content) {
      try (InputStream in = content.open()) {
        in.transferTo(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException("the content of a small file is in memory", e);
      }
    }

    private void upload(TaskUpload upload) {
      List<Part> parts = upload.pending().parts();
      number(parts.size());
      text(upload.pending().upload().uploadId());
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
    TaskFile file() {
      String bucket = text();
      String key = text();
      long count = number();
      if (count == RESTORED) {
        return restored(bucket, key);
      }
      if (count > Part.MAX_NUMBER) {
        throw new IllegalArgumentException(count + " parts");
      }
      return count == 0 ? inline(bucket, key) : upload(bucket, key, count);
    }

    private RestoredFile restored(String bucket, String key) {
      long size = number();
      String etag = etag();
      List<String> markers = new ArrayList<>();
      for (long rest = number(); rest > 0; rest--) {
        markers.add(text());
      }
      return new RestoredFile(bucket, key, size, etag, markers);
    }

    private InlineFile inline(String bucket, String key) {
      String md5 = HEX.formatHex(content(MD5_BYTES));
      long size = number();
      Optional<Body> content = number() == 0 ? Optional.empty() : Optional.of(body(size));
      return new InlineFile(bucket, key, size, md5, content);
    }

    /** Returns the next bytes, which are not copied. */
    private Body body(long size) {
      if (size > bytes.remaining()) {
        throw new BufferUnderflowException();
      }
      Body body = Body.ofBytes(bytes.array(), bytes.arrayOffset() + bytes.position(), (int) size);
      bytes.position(bytes.position() + (int) size);
      return body;
    }

    private TaskUpload upload(String bucket, String key, long count) {
      Upload upload = new Upload(key, text());
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
      throw new IllegalArgumentException("it has a number of more than 63 bits");
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
