/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.s3.settings.S3Keys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ChecksumsTest {
  /** The check values of the catalogue of CRCs, of the text {@code 123456789}. */
  @Test
  void theyAreThoseOfTheCatalogue() throws IOException {
    assertThat(hex(S3Keys.Checksum.CRC32)).isEqualTo("cbf43926");
    assertThat(hex(S3Keys.Checksum.CRC32C)).isEqualTo("e3069283");
    assertThat(hex(S3Keys.Checksum.CRC64NVME)).isEqualTo("ae8b14860a799888");
    assertThat(hex(S3Keys.Checksum.MD5)).isEqualTo("25f9e794323b453885f5181f1b624d0b");
    assertThat(hex(S3Keys.Checksum.SHA256))
        .isEqualTo("15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225");
  }

  @Test
  void onlyTheBodysBytesCount() throws IOException {
    assertThat(Checksums.of(S3Keys.Checksum.CRC32, claiming(9, "123456789 and more")))
        .isEqualTo(Checksums.of(S3Keys.Checksum.CRC32, claiming(9, "123456789")));
    assertThatThrownBy(() -> Checksums.of(S3Keys.Checksum.CRC32, claiming(10, "123456789")))
        .hasMessageContaining("1 bytes early");
  }

  private static String hex(S3Keys.Checksum kind) throws IOException {
    String base64 = Checksums.of(kind, claiming(9, "123456789"));
    return HexFormat.of().formatHex(Base64.getDecoder().decode(base64));
  }

  private static Body claiming(long size, String text) {
    return new Body() {
      @Override
      public long sizeBytes() {
        return size;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
      }
    };
  }
}
