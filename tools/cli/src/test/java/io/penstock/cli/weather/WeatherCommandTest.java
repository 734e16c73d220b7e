/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.weather;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Main;
import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WeatherCommandTest {
  @Test
  void itSaysWhereItServesAndServesThere() throws Exception {
    serving(
        line -> {
          assertThat(line).matches("S3 on http://127.0.0.1:[0-9]+ with \\[pond]; Ctrl-C stops it");
          assertThat(status(line.split(" ", -1)[2] + "/pond/missing")).isEqualTo(404);
        },
        "--bucket=pond");
  }

  @Test
  void theWeatherThatWasAskedForIsMade() throws Exception {
    serving(
        line -> assertThat(status(line.split(" ", -1)[2] + "/lake/missing")).isEqualTo(503),
        "--faults=GetObject#1=503");
  }

  @Test
  void aProxySaysWhatItStandsBefore() throws Exception {
    serving(
        line ->
            assertThat(line)
                .matches(
                    "proxy on http://127.0.0.1:[0-9]+ before http://127.0.0.1:9; Ctrl-C stops it"),
        "--upstream=http://127.0.0.1:9");
  }

  private interface Check {
    void of(String firstLine) throws Exception;
  }

  /** Runs the command on a free port and stops it after the check. */
  private static void serving(Check check, String option) throws Exception {
    try (PipedReader pipe = new PipedReader();
        PrintWriter out = new PrintWriter(new PipedWriter(pipe));
        BufferedReader said = new BufferedReader(pipe)) {
      Thread server =
          new Thread(
              () ->
                  Main.commandLine()
                      .setOut(out)
                      .setErr(new PrintWriter(new StringWriter()))
                      .execute("weather", "--port=0", option));
      server.start();
      try {
        check.of(said.readLine());
      } finally {
        server.interrupt();
        server.join();
      }
    }
  }

  private static int status(String url) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
