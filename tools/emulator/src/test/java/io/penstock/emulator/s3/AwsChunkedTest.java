/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AwsChunkedTest {
  private static AwsChunked coded(String text) {
    return new AwsChunked(new ByteArrayInputStream(text.getBytes(US_ASCII)));
  }

  private static String decoded(String text) throws IOException {
    return new String(coded(text).readAllBytes(), US_ASCII);
  }

  @Test
  void signedChunksAreJoined() throws IOException {
    String text =
        "5;chunk-signature=aa\r\nhello\r\n6;chunk-signature=bb\r\n world\r\n"
            .concat("0;chunk-signature=cc\r\n\r\n");
    assertThat(decoded(text)).isEqualTo("hello world");
  }

  @Test
  void trailersAreKept() throws IOException {
    AwsChunked body = coded("5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n");
    assertThat(new String(body.readAllBytes(), US_ASCII)).isEqualTo("hello");
    assertThat(body.trailers().first("x-amz-checksum-crc32")).hasValue("NhCmhg==");
  }

  @Test
  void anEmptyBodyIsOneEmptyChunk() throws IOException {
    assertThat(decoded("0;chunk-signature=cc\r\n\r\n")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5\r\nhel", "zz\r\n", "5\r\nhello!\r\n0\r\n\r\n", "-1\r\n"})
  void aBodyThatIsNotWholeIsIncomplete(String text) {
    assertThatThrownBy(() -> decoded(text)).hasMessageContaining("IncompleteBody");
  }
}
