/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AbsoluteNamesTest {
  private final List<String> asked = new ArrayList<>();

  private AbsoluteNames knowing(String... names) {
    return new AbsoluteNames(
        name -> {
          asked.add(name);
          if (!Set.of(names).contains(name)) {
            throw new UnknownHostException(name);
          }
          return List.of(InetAddress.getByAddress(name, new byte[] {10, 0, 0, 1}));
        });
  }

  @Test
  void aNameOfAmazonsIsAskedForOnceWithADot() throws Exception {
    AbsoluteNames names = knowing("lake.s3.eu-west-1.amazonaws.com.");
    assertThat(names.resolve("lake.s3.eu-west-1.amazonaws.com"))
        .singleElement()
        .satisfies(a -> assertThat(a.getHostName()).isEqualTo("lake.s3.eu-west-1.amazonaws.com"));
    assertThat(asked).containsExactly("lake.s3.eu-west-1.amazonaws.com.");
  }

  @Test
  void aNameThatIsNotAbsoluteIsAskedForAsWrittenFromThenOn() throws Exception {
    AbsoluteNames names = knowing("s3.eu-west-1.amazonaws.com");
    names.resolve("s3.eu-west-1.amazonaws.com");
    names.resolve("s3.eu-west-1.amazonaws.com");
    assertThat(asked)
        .containsExactly(
            "s3.eu-west-1.amazonaws.com.",
            "s3.eu-west-1.amazonaws.com",
            "s3.eu-west-1.amazonaws.com");
  }

  @Test
  void aNameThatMayBeAClustersIsNeverMadeOneOfTheInternet() throws Exception {
    AbsoluteNames names = knowing("minio", "minio.dev");
    names.resolve("minio");
    names.resolve("minio.dev");
    assertThat(asked).containsExactly("minio", "minio.dev");
  }

  @Test
  void anUnknownNameStaysUnknown() {
    assertThatThrownBy(() -> knowing().resolve("s3.nowhere-1.amazonaws.com"))
        .isInstanceOf(UnknownHostException.class);
  }
}
