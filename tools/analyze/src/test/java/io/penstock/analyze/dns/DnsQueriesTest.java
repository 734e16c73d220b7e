/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import io.penstock.analyze.input.Head;
import io.penstock.tables.Table;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnsQueriesTest {
  private static final String FOUND =
      "[INFO] 10.244.0.7:53041 - 30571 \"A IN Lake.s3.us-east-1.amazonaws.com. udp 60 false 512\""
          + " NOERROR qr,rd,ra 118 0.002s";
  private static final String MISSING =
      "2026-03-03T16:43:01.93Z stdout F [INFO] 10.244.0.7:53041 - 30572 \"AAAA IN"
          + " lake.s3.us-east-1.amazonaws.com.etl.svc.cluster.local. udp 80 false 512\" NXDOMAIN"
          + " qr,aa,rd 173 87.5\u00b5s";

  @Test
  void queriesAreCountedByNameAndType() throws IOException {
    Table table = table(FOUND + "\n" + MISSING + "\n" + MISSING + "\nnot a query\n");

    assertThat(table.rows()).hasSize(2);
    assertThat(table.text(0, "name"))
        .isEqualTo("lake.s3.us-east-1.amazonaws.com.etl.svc.cluster.local");
    assertThat(table.text(0, "type")).isEqualTo("AAAA");
    assertThat(table.count(0, "queries")).isEqualTo(2);
    assertThat(table.count(0, "nxdomain")).isEqualTo(2);
    assertThat(table.number(0, "p95_ms")).isBetween(0.0875, 0.105);
    assertThat(table.text(1, "name")).isEqualTo("lake.s3.us-east-1.amazonaws.com");
    assertThat(table.count(1, "nxdomain")).isZero();
    assertThat(table.number(1, "p95_ms")).isBetween(2.0, 2.4);
  }

  @Test
  void theNinetyFifthPercentileIsNearTheTrueOne() throws IOException {
    StringBuilder log = new StringBuilder();
    for (int i = 1; i <= 100; i++) {
      log.append(FOUND.replace("0.002s", i + "ms")).append('\n');
    }

    assertThat(table(log.toString()).number(0, "p95_ms")).isCloseTo(95, within(19.0));
  }

  @Test
  void namesAreBounded() throws IOException {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 25_000; i++) {
      log.append(FOUND.replace("Lake", "lake" + i)).append('\n');
    }
    log.append(FOUND.replace("Lake", "lake5")).append('\n');

    Table table = table(log.toString());

    assertThat(table.rows()).hasSize(1_001);
    assertThat(table.text(0, "name")).startsWith("lake5.");
    assertThat(table.text(1_000, "name")).isEqualTo("(others)");
    assertThat(table.count(1_000, "queries")).isEqualTo(24_000);
  }

  @Test
  void aLogIsKnownByItsLines() {
    assertThat(DnsQueries.matches(head(".:53\nCoreDNS-1.11.1\n" + FOUND))).isTrue();
    assertThat(DnsQueries.matches(head("26/03/03 16:43:01 INFO Executor: \"A IN x\""))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anyBytesAreRead(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    for (int round = 0; round < 300; round++) {
      byte[] log = (FOUND + "\n" + MISSING).getBytes(StandardCharsets.UTF_8);
      byte[] some = Arrays.copyOf(log, chance.nextInt(log.length));
      for (int i = chance.nextInt(8); i > 0 && some.length > 0; i--) {
        some[chance.nextInt(some.length)] = (byte) chance.nextInt();
      }
      assertThatCode(() -> new DnsQueries().read(new ByteArrayInputStream(some)))
          .as("seed %d, round %d; -Dtest=DnsQueriesTest#anyBytesAreRead", seed, round)
          .doesNotThrowAnyException();
    }
  }

  private static Head head(String text) {
    return Head.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Table table(String log) throws IOException {
    DnsQueries queries = new DnsQueries();
    queries.read(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
    return queries.table();
  }
}
