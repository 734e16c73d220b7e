/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentTest {
  @ParameterizedTest
  @CsvSource({
    "t/__penstock_job_0/p=1/f, job, 0, t/, t/p=1/f",
    "__penstock_job_0/f, job, 0, '', f",
    "a/b/__penstock_1-2.x_y-9/f.parquet, 1-2.x, y-9, a/b/, a/b/f.parquet",
    "t/__penstock_job_0, job, 0, t/, t/",
    "t/__penstock_job_0/, job, 0, t/, t/",
    "t/__penstock_job_0/p=__penstock_x/f, job, 0, t/, t/p=__penstock_x/f",
  })
  void aKeyIsTakenApart(String key, String job, String attempt, String base, String finalKey) {
    assertThat(Segment.in(key))
        .contains(new Segment.Split(new Segment(job, attempt), base, finalKey));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "t/p=1/f",
        "t/x__penstock_job_0/f",
        "t/__penstock_job/f",
        "t/__penstock_job_0_1/f",
        "t/__penstock__0/f",
        "t/__penstock_jöb_0/f",
        "t/_penstock_job_0/f",
      })
  void aKeyWithoutASegmentIsLeftAlone(String key) {
    assertThat(Segment.in(key)).isEmpty();
  }

  @Test
  void aSegmentsNameIsFoundAgainWhateverItsIdsAre() {
    Segment segment = Segment.of("job_2026/11 20", "attempt_0001_m_000002_3");
    assertThat(segment.name()).isEqualTo("__penstock_job-2026-11-20_attempt-0001-m-000002-3");
    assertThat(Segment.in("t/" + segment.name() + "/f").orElseThrow().segment()).isEqualTo(segment);
  }

  @Test
  void idsThatWouldNotBeFoundAgainAreRefused() {
    for (String id : new String[] {"", "a_b", "a/b", "ü"}) {
      assertThatThrownBy(() -> new Segment(id, "0")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new Segment("0", id)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
