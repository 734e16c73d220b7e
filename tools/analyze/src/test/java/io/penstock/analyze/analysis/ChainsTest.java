/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.advice.AdviceFixture;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts are told from requests of their own. */
class ChainsTest {
  private static final Column NUMBER = new Column("n", Kind.COUNT);

  @TempDir Path directory;
  private AdviceFixture logs;
  private int place;

  @BeforeEach
  void open() throws IOException {
    logs = AdviceFixture.open(directory);
  }

  private void put(String source, double second, int status, double seconds) throws IOException {
    logs.run(
        """
        insert into s3_all(ts_start, ts_end, source, bucket, key, dir, api, class, status, err,
          throttled, total_us, chain, file, position)
        values (timestamp '2024-06-04 14:00:00' + to_microseconds(%1$d),
          timestamp '2024-06-04 14:00:00' + to_microseconds(%1$d + %2$d), '%3$s', 'lake', 'k', '',
          'PutObject', 'W', %4$d, %5$s, %6$s, %2$d, 1, 0, %7$d)
        """
            .formatted(
                (long) (second * 1e6),
                (long) (seconds * 1e6),
                source,
                status,
                status < 400 ? "null" : "'SlowDown'",
                status == 503,
                place++));
  }

  /** Returns the attempts of each request that had several, and how many of them overlapped. */
  private List<List<Object>> chains() throws IOException {
    return logs.ready()
        .rows(
            "select attempts, overlapping from s3_chains order by first_start, segment",
            List.of(NUMBER, NUMBER));
  }

  @Test
  void twentyGoodPutsOfOneKeyInOneSecondAreTwentyRequests() throws IOException {
    for (int i = 0; i < 20; i++) {
      put("access_log", 7, 200, 0.045);
    }
    assertThat(chains()).isEmpty();
  }

  @Test
  void theSuccessOfTheSameSecondEndsTheRequest() throws IOException {
    put("access_log", 7, 200, 0.045);
    put("access_log", 7, 503, 0.008);
    put("access_log", 6, 503, 0.008);
    assertThat(chains()).containsExactly(List.of(3L, 0L));
  }

  @Test
  void aPutAfterASuccessIsAnotherRequest() throws IOException {
    put("access_log", 7, 503, 0.008);
    put("access_log", 8, 200, 0.045);
    put("access_log", 9, 503, 0.008);
    put("access_log", 10, 200, 0.045);
    put("access_log", 20, 200, 0.045);
    assertThat(chains()).containsExactly(List.of(2L, 0L), List.of(2L, 0L));
  }

  @Test
  void aSlowPutThatWasTriedAgainMeanwhileIsOneRequest() throws IOException {
    put("access_log", 7, 200, 5.0);
    put("access_log", 9, 200, 0.1);
    assertThat(chains()).containsExactly(List.of(2L, 1L));
  }

  @Test
  void clientsHaveExactStamps() throws IOException {
    put("client_log", 7.0, 200, 0.2);
    put("client_log", 7.1, 200, 0.05);
    put("client_log", 7.3, 200, 0.05);
    assertThat(chains()).containsExactly(List.of(2L, 1L));
  }

  @Test
  void longAfterAFailureItIsAnotherRequest() throws IOException {
    put("access_log", 0, 503, 0.008);
    put("access_log", 100, 503, 0.008);
    put("access_log", 221, 503, 0.008);
    put("access_log", 222, 200, 0.008);
    assertThat(chains()).containsExactly(List.of(2L, 0L), List.of(2L, 0L));
  }
}
