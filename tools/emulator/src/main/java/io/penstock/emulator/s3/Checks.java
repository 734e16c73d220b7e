/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.emulator.http.Headers;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Verifies the checksums that a client sent for a body. Computes them while the body is read. A
 * CRC64NVME is not verified but only copied into the answer.
 */
final class Checks {
  private static final String PREFIX = "x-amz-checksum-";
  private static final List<String> KNOWN = List.of("crc32", "crc32c", "sha1", "sha256");

  private final List<Check> checks = new ArrayList<>();

  private record Check(String name, Sum sum) {}

  /** A checksum that is updated with bytes. */
  private interface Sum {
    void update(byte[] bytes, int at, int length);

    byte[] value();
  }

  /**
   * Collects the checksums that the headers announce.
   *
   * @param isSigned whether the SHA-256 in the signature covers this body as it is sent
   */
  Checks(Headers headers, boolean isSigned) {
    if (headers.has("Content-MD5")) {
      checks.add(new Check("Content-MD5", digest("MD5")));
    }
    String trailer = headers.first("x-amz-trailer").orElse("");
    for (String algorithm : KNOWN) {
      if (headers.has(PREFIX + algorithm) || trailer.equalsIgnoreCase(PREFIX + algorithm)) {
        checks.add(new Check(PREFIX + algorithm, sum(algorithm)));
      }
    }
    if (isSigned) {
      checks.add(new Check("x-amz-content-sha256", digest("SHA-256")));
    }
  }

  InputStream over(InputStream body) {
    return new FilterInputStream(body) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int at, int length) throws IOException {
        int count = in.read(into, at, length);
        if (count > 0) {
          checks.forEach(check -> check.sum().update(into, at, count));
        }
        return count;
      }
    };
  }

  /**
   * Compares the checksums after the body has been read, and adds the client's checksums to the
   * response.
   */
  void verify(Headers sent, Headers trailers, Headers answer) throws S3Failure {
    for (Check check : checks) {
      byte[] computed = check.sum().value();
      Optional<String> wanted = trailers.first(check.name()).or(() -> sent.first(check.name()));
      if (check.name().equals("x-amz-content-sha256")) {
        if (!HexFormat.of().formatHex(computed).equals(wanted.orElseThrow())) {
          throw new S3Failure(
              400,
              "XAmzContentSHA256Mismatch",
              "The provided 'x-amz-content-sha256' header does not match what was computed.");
        }
      } else {
        String text = Base64.getEncoder().encodeToString(computed);
        requireEqual(check.name(), wanted.orElse(""), text);
        if (check.name().startsWith(PREFIX)) {
          answer.add(check.name(), text);
        }
      }
    }
    String crc64 = PREFIX + "crc64nvme";
    trailers.first(crc64).or(() -> sent.first(crc64)).ifPresent(sum -> answer.add(crc64, sum));
  }

  private static void requireEqual(String name, String wanted, String computed) throws S3Failure {
    if (wanted.equals(computed)) {
      return;
    }
    if (!wanted.matches("[A-Za-z0-9+/]+=*") || wanted.length() != computed.length()) {
      String code = name.equals("Content-MD5") ? "InvalidDigest" : "InvalidRequest";
      throw new S3Failure(400, code, "Value for " + name + " header is invalid.");
    }
    String what = name.equals("Content-MD5") ? "Content-MD5" : name.substring(PREFIX.length());
    throw new S3Failure(
        400, "BadDigest", "The %s you specified did not match what we received.".formatted(what));
  }

  private static Sum sum(String algorithm) {
    return switch (algorithm) {
      case "crc32" -> crc(new CRC32());
      case "crc32c" -> crc(new CRC32C());
      case "sha1" -> digest("SHA-1");
      case "sha256" -> digest("SHA-256");
      default -> throw new IllegalArgumentException(algorithm);
    };
  }

  private static Sum crc(Checksum crc) {
    return new Sum() {
      @Override
      public void update(byte[] bytes, int at, int length) {
        crc.update(bytes, at, length);
      }

      @Override
      public byte[] value() {
        return ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
      }
    };
  }

  private static Sum digest(String algorithm) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
    return new Sum() {
      @Override
      public void update(byte[] bytes, int at, int length) {
        digest.update(bytes, at, length);
      }

      @Override
      public byte[] value() {
        return digest.digest();
      }
    };
  }
}
