/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeantNameTest {
  private static final List<String> KNOWN =
      List.of("penstock.endpoint", "penstock.path.style", "fs.s3a.endpoint", "fs.s3.endpoint");

  private static String meant(String name) {
    return MeantName.of(name, KNOWN).orElse("");
  }

  @Test
  void aSlipIsSeenInTheFamilyAndInTheKey() {
    assertThat(meant("penstok.endpoint")).isEqualTo("penstock.endpoint");
    assertThat(meant("penstock.endpiont")).isEqualTo("penstock.endpoint");
    assertThat(meant("fs.s3.endpoit")).isEqualTo("fs.s3.endpoint");
  }

  @Test
  void theNameOfABucketIsKept() {
    assertThat(meant("fs.s3a.bucket.my.lake.endpont")).isEqualTo("fs.s3a.bucket.my.lake.endpoint");
    assertThat(meant("penstock.bucket.lake.path.stile"))
        .isEqualTo("penstock.bucket.lake.path.style");
  }

  @Test
  void whatIsKnownOrFarFromItMeansNothingElse() {
    assertThat(meant("penstock.endpoint")).isEmpty();
    assertThat(meant("fs.s3a.bucket.my.lake.endpoint")).isEmpty();
    assertThat(meant("fs.s3a.canned.acl")).isEmpty();
    assertThat(MeantName.of("fs.s3.impl", List.of("fs.s3a.impl", "fs.s3.endpoint"))).isEmpty();
    assertThat(MeantName.of("x", List.of())).isEmpty();
    assertThat(meant("fs.oss.endpoint")).as("of another store").isEmpty();
    assertThat(meant("fs.s3n.endpoint")).isEmpty();
  }
}
