/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.input.ParseStatistics;
import io.penstock.analyze.request.RequestReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * S3's server access log as CloudWatch delivers it in Parquet. The whole file is copied to disk
 * before it is read, because Parquet stores its table of contents at the end of the file.
 */
public final class ParquetLog implements LogFormat {
  private static final String MAGIC = "PAR1";

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

  @Override
  public Optional<LineParser> lines() {
    return Optional.empty();
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
