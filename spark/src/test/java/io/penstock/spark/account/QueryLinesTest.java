/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.account.Client;
import io.penstock.core.metrics.account.RequestAccounts;
import io.penstock.core.metrics.account.RequestSums.Attempted;
import io.penstock.core.metrics.account.RequestSums.End;
import io.penstock.core.store.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QueryLinesTest {
  private final RequestAccounts own = new RequestAccounts();
  private final DriverAccounts accounts = new DriverAccounts(own);
  private final AtomicLong now = new AtomicLong(-Duration.ofSeconds(1).toNanos());
  private final QueryLines lines = new QueryLines(accounts, now::get);

  private void request(long query, Operation operation, End end) {
    own.add(
        Client.PENSTOCK,
        operation,
        "lake",
        "t/a",
        new Origin("app-1", OptionalLong.of(query), Optional.empty()),
        new Attempted(1_500_000_000, 2_500_000, 0, end, false, false));
  }

  @Test
  void aQueryHasItsLineOnceWhenTheExecutorsHaveTold() {
    request(7, Operation.GET, End.OK);
    lines.ended(7);
    request(7, Operation.PUT, End.THROTTLED);
    lines.ended(8); // without a request
    assertThat(lines.due(false)).isEmpty();

    now.addAndGet(Duration.ofSeconds(3).toNanos());

    assertThat(lines.due(false))
        .containsExactly(
            "S3 requests of query 7: 2 (reads 1, writes 1, lists 0, deletes 0), sent 5.0 MB,"
                + " received 0.0 MB, 3.0 s in all, $0.0000; 1 throttled");
    assertThat(lines.due(true)).isEmpty();
  }

  @Test
  void atTheEndOfTheApplicationEveryLineIsDue() {
    request(7, Operation.LIST, End.FAILED);
    request(9, Operation.LIST, End.OK);
    lines.ended(9);
    lines.ended(7);

    assertThat(lines.due(true))
        .hasSize(2)
        .satisfies(all -> assertThat(all.get(0)).contains("query 9: 1 (reads 0, writes 0, lists 1"))
        .satisfies(all -> assertThat(all.get(1)).contains("query 7").endsWith("; 1 failed"));
  }
}
