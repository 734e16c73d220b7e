/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Body;
import io.penstock.s3.settings.S3Keys;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Computes checksums of bodies, in Base64 as the request headers need them. */
final class Checksums {
  /** The polynomial of CRC64NVME, with its bits reversed. */
  private static final long CRC64_NVME = 0x9a6c9329ac4bc9b5L;

  private static final long[] CRC64_TABLE = crc64Table();

  private Checksums() {}

  /** Returns the name of the header that the checksum is sent in. */
  static String header(S3Keys.Checksum kind) {
    return kind == S3Keys.Checksum.MD5
        ? "Content-MD5"
        : "x-amz-checksum-" + kind.name().toLowerCase(Locale.ROOT);
  }

  static String of(S3Keys.Checksum kind, Body body) throws IOException {
    return switch (kind) {
      case CRC32 -> crc(new CRC32(), Integer.BYTES, body);
      case CRC32C -> crc(new CRC32C(), Integer.BYTES, body);
      case CRC64NVME -> crc(new Crc64Nvme(), Long.BYTES, body);
      case SHA256 -> digest("SHA-256", body);
      case MD5 -> digest("MD5", body);
      case AUTO, NONE -> throw new IllegalArgumentException(kind + " names no checksum");
    };
  }

  private static String crc(Checksum crc, int width, Body body) throws IOException {
    read(body, crc::update);
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(crc.getValue()).array();
    byte[] last = java.util.Arrays.copyOfRange(value, Long.BYTES - width, Long.BYTES);
    return Base64.getEncoder().encodeToString(last);
  }

  private static String digest(String algorithm, Body body) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      read(body, digest::update);
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }

  /** Reads as many bytes as the body claims to have. */
  private static void read(Body body, Consumer<ByteBuffer> bytes) throws IOException {
    Claimed claimed = new Claimed(body.sizeBytes(), bytes);
    body.writeTo(claimed);
    if (claimed.leftBytes > 0) {
      throw new IOException("the body ended %d bytes early".formatted(claimed.leftBytes));
    }
  }

  private static final class Claimed extends OutputStream {
    private final Consumer<ByteBuffer> bytes;
    private long leftBytes;

    Claimed(long sizeBytes, Consumer<ByteBuffer> bytes) {
      this.leftBytes = sizeBytes;
      this.bytes = bytes;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      int count = (int) Math.min(length, leftBytes);
      bytes.accept(ByteBuffer.wrap(from, offset, count));
      leftBytes -= count;
    }
  }

  /** Computes CRC64NVME. The SDK has only native code for it, which cannot be relocated. */
  private static final class Crc64Nvme implements Checksum {
    private long crc = -1;

    @Override
    public void update(int value) {
      crc = CRC64_TABLE[(int) (crc ^ value) & 0xff] ^ (crc >>> 8);
    }

    @Override
    public void update(byte[] bytes, int offset, int length) {
      for (int i = offset; i < offset + length; i++) {
        update(bytes[i]);
      }
    }

    @Override
    public long getValue() {
      return ~crc;
    }

    @Override
    public void reset() {
      crc = -1;
    }
  }

  private static long[] crc64Table() {
    long[] table = new long[256];
    for (int i = 0; i < table.length; i++) {
      long value = i;
      for (int bit = 0; bit < 8; bit++) {
        value = (value & 1) == 0 ? value >>> 1 : (value >>> 1) ^ CRC64_NVME;
      }
      table[i] = value;
    }
    return table;
  }
}
