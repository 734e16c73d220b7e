/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/**
 * S3's server access log as CloudWatch delivers it in Parquet. The whole file is copied to disk
 * before it is read, because Parquet stores its table of contents at the end of the file.
 */
public final class ParquetLog implements LogFormat {
  private static final String MAGIC = "PAR1";

  /** The length of the description at the end, and the magic bytes. */
  private static final int END_BYTES = 8;

  private static final int SMALLEST = 12;
  private static final int MAX_FOOTER = 64 << 20;

  @Override
  public String title() {
    return "S3 server access log (Parquet)";
  }

  /**
   * Returns true if the file is Parquet. Only the end of the file shows if it is an access log, so
   * this is checked when the file is read.
   */
  @Override
  public boolean matches(Head head) {
    return head.text().startsWith(MAGIC);
  }

  /**
   * Returns true if a file that is not packed is Parquet, but without the columns of an access log:
   * a job's data often lies beside its logs. A damaged file may be a log.
   */
  public static boolean isOther(Head head, LogSource source) throws IOException {
    long size = source.sizeBytes();
    if (!head.text().startsWith(MAGIC) || size < SMALLEST) {
      return false;
    }
    byte[] end = bytes(source, size - END_BYTES, END_BYTES);
    if (!new String(end, 4, 4, StandardCharsets.ISO_8859_1).equals(MAGIC)) {
      return false;
    }
    long footer = ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt() & 0xffffffffL;
    if (footer > MAX_FOOTER || footer > size - SMALLEST) {
      return false;
    }
    byte[] description = bytes(source, size - END_BYTES - footer, (int) footer);
    String names = new String(description, StandardCharsets.ISO_8859_1);
    return !names.contains(StructuredFields.VERSION);
  }

  private static byte[] bytes(LogSource source, long position, int count) throws IOException {
    try (InputStream in = source.open(position)) {
      return Arrays.copyOf(in.readNBytes(count), count);
    }
  }

  @Override
  public RequestReader open(InputStream text, ParseStatistics statistics) throws IOException {
    Path file = Files.createTempFile("penstock-", ".parquet");
    try (text) {
      Files.copy(text, file, StandardCopyOption.REPLACE_EXISTING);
      return ParquetRequests.open(file, statistics);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }
}
