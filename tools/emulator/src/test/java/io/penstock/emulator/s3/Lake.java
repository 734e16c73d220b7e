/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/** A server with a bucket, a read-only one and an access log, and a client of it. */
final class Lake implements AutoCloseable {
  final EmbeddedS3 s3;
  final TestClient client;

  private Lake(EmbeddedS3 s3) {
    this.s3 = s3;
    client = new TestClient(s3.endpoint());
  }

  static Lake in(Path directory) throws IOException {
    return new Lake(
        EmbeddedS3.builder()
            .bucket("lake")
            .readOnlyBucket("frozen")
            .accessLog(directory.resolve("access.log"))
            .start());
  }

  @Override
  public void close() {
    s3.close();
  }

  static void assertError(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains("<Error><Code>" + code + "</Code>").contains("<RequestId>");
    assertThat(answer.headers().firstValue("x-amz-request-id")).isPresent();
  }
}
