/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit;

import io.penstock.core.store.Part;
import io.penstock.core.store.PendingUpload;
import io.penstock.core.store.Upload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a task hands to the job: all its pending uploads, as bytes. A job of 100,000 files sends
 * that many through the driver, so the form is compact (about 150 bytes a file and 40 a part) and
 * versioned.
 */
public record TaskUploads(List<TaskUpload> uploads) {
  private static final int MAGIC = 0x50534301; // "PSC", version 1
  private static final int MAX_UPLOADS = 10_000_000;

  public TaskUploads {
    uploads = List.copyOf(uploads);
  }

  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeInt(uploads.size());
      for (TaskUpload upload : uploads) {
        write(out, upload);
      }
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws IOException when the bytes are not that, cut short or of another version
   */
  public static TaskUploads fromBytes(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readInt() != MAGIC) {
        throw new IOException(
            "not a task's pending uploads, or of another Penstock version; use one on all nodes");
      }
      int count = in.readInt();
      if (count < 0 || count > MAX_UPLOADS) {
        throw new IOException("a task's pending uploads are damaged: " + count + " of them");
      }
      List<TaskUpload> uploads = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        uploads.add(read(in));
      }
      return new TaskUploads(uploads);
    } catch (EOFException e) {
      throw new IOException("a task's pending uploads are cut short", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("a task's pending uploads are damaged", e);
    }
  }

  private static void write(DataOutputStream out, TaskUpload upload) throws IOException {
    writeText(out, upload.bucket());
    writeText(out, upload.pending().key());
    writeText(out, upload.pending().upload().uploadId());
    List<Part> parts = upload.pending().parts();
    out.writeInt(parts.size());
    for (Part part : parts) {
      out.writeInt(part.number());
      writeText(out, part.etag());
      out.writeLong(part.sizeBytes());
    }
  }

  private static TaskUpload read(DataInputStream in) throws IOException {
    String bucket = readText(in);
    Upload upload = new Upload(readText(in), readText(in));
    int count = in.readInt();
    if (count < 1 || count > Part.MAX_NUMBER) {
      throw new IOException("a task's pending uploads are damaged: " + count + " parts");
    }
    List<Part> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(new Part(in.readInt(), readText(in), in.readLong()));
    }
    return new TaskUpload(bucket, new PendingUpload(upload, parts));
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readUnsignedShort()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
