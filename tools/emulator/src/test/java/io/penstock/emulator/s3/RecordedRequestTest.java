/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.http.RawClient;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests as the access log and the counts of the server tell them. */
class RecordedRequestTest {
  @TempDir Path directory;
  @AutoClose private Lake lake;

  @BeforeEach
  void start() throws IOException {
    lake = Lake.in(directory);
  }

  @Test
  void everyRequestIsALineOfTheAccessLog() throws Exception {
    lake.client.send("PUT", "/lake/a%20b", "hello");
    lake.client.send("GET", "/lake/nope", "");
    lake.s3.weather(Weather.CALM.withFaults("GetObject#1=503"));
    lake.client.send("GET", "/lake/a%20b", "");

    // A line is written before its answer leaves.
    List<String> lines = Files.readAllLines(directory.resolve("access.log"));
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .contains(" REST.PUT.OBJECT a%20b \"PUT /lake/a%20b HTTP/1.1\" 200 - - 5 ");
    assertThat(lines.get(1)).contains(" REST.GET.OBJECT nope ").contains("\" 404 NoSuchKey ");
    assertThat(lines.get(2)).contains("\" 503 SlowDown ");
  }

  @Test
  void aRequestThatItsClientGivesUpIsCountedAndLogged() throws Exception {
    try (RawClient raw = new RawClient(lake.s3.endpoint().getPort())) {
      raw.send("PUT /lake/k HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf").hangUp();
      raw.readAll();
    }
    assertThat(lake.s3.counts().of("PutObject")).isEqualTo(1);
    assertThat(Files.readAllLines(directory.resolve("access.log")))
        .singleElement()
        .asString()
        .contains(" REST.PUT.OBJECT k \"PUT /lake/k HTTP/1.1\" ");
  }

  @Test
  void countsStartAnewWhenAsked() throws Exception {
    lake.client.send("PUT", "/lake/k", "hello");
    lake.s3.resetCounts();
    assertThat(lake.s3.counts().total()).isZero();
    assertThat(Optional.of(lake.s3.counts().of("PutObject"))).hasValue(0L);
  }
}
