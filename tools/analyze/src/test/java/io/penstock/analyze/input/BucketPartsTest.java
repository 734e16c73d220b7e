/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.request.RequestReader;
import io.penstock.analyze.request.RequestRow;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A log in a bucket that several threads read, each a part. */
class BucketPartsTest {
  private static final int PART = 8_388_608;

  private final AtomicInteger gets = new AtomicInteger();

  @Test
  void aPartIsReadInOneRangeWithTheEndOfItsLastLine() throws IOException {
    String line = "x".repeat(999) + "\n";
    byte[] log = line.repeat(20_000).getBytes(StandardCharsets.US_ASCII);
    InMemoryStore memory =
        new InMemoryStore("logs", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
    memory.put("a.log", Body.ofBytes(log), Condition.NONE);
    LogSource source = BucketSource.below(counted(memory), "a.log").get(0);
    ParseStatistics statistics = new ParseStatistics();
    for (long start = 0; start < log.length; start += PART) {
      try (RequestReader part =
          LineRequests.part(source, start, start + PART, passed(), statistics)) {
        assertThat(part.next(new RequestRow())).isFalse();
      }
    }
    assertThat(statistics.records()).isEqualTo(20_000);
    assertThat(gets).hasValue(3);
  }

  private static LineParser passed() {
    return (text, start, end, row) -> LineParser.Verdict.skipped("x");
  }

  private ObjectStore counted(ObjectStore store) {
    return (ObjectStore)
        Proxy.newProxyInstance(
            ObjectStore.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("get")) {
                gets.incrementAndGet();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
