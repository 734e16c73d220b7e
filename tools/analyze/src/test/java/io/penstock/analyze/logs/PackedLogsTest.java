/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.input.LocalSource;
import io.penstock.analyze.input.ReadProgress;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log of any format is read packed as well as plain. */
class PackedLogsTest {
  private static final String ACCESS =
      "owner lake [06/Feb/2026:00:00:00 +0000] 10.0.0.1 arn:aws:iam::1:role/job R REST.PUT.OBJECT"
          + " a \"PUT /a HTTP/1.1\" 200 - 1 1 80 40 \"-\" \"x\" - h SigV4 c AuthHeader s3 TLS - -";
  private static final String TRAIL =
      "{\"eventVersion\":\"1.08\",\"eventTime\":\"2026-02-06T00:00:00Z\","
          + "\"eventSource\":\"s3.amazonaws.com\",\"eventName\":\"PutObject\","
          + "\"eventCategory\":\"Data\",\"eventID\":\"e\",\"requestID\":\"R\","
          + "\"requestParameters\":{\"bucketName\":\"lake\",\"key\":\"a\"}}";
  private static final String REQUEST =
      "{\"ts_ms\":1767225600250,\"op\":\"PUT\",\"bucket\":\"lake\",\"key\":\"a\","
          + "\"outcome\":\"DONE\",\"total_us\":1500}";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {ACCESS, TRAIL, REQUEST})
  void aPackedLogHasTheRequestsOfThePlainOne(String line) throws IOException {
    Path plain = directory.resolve("log");
    Files.writeString(plain, line + "\n");
    Path packed = directory.resolve("log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
    assertThat(requests(plain)).isEqualTo(1);
    assertThat(requests(packed)).isEqualTo(1);
  }

  private static long requests(Path file) throws IOException {
    LogOptions options = new LogOptions(Optional.empty(), 200, 1, Filter.NONE);
    try (LogData data = LogData.open(List.of(LocalSource.of(file)), options, ReadProgress.NONE)) {
      return Analyses.named("summary").orElseThrow().run(data.engine()).count(0, "requests");
    }
  }
}
