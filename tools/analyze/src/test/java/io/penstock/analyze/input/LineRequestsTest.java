/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LineRequestsTest {
  /** Takes every line for a request, but for those that begin with a mark. */
  private static final LineParser PARSER =
      (text, start, end, row) -> {
        row.text(RequestColumn.KEY, text, start, end);
        return switch (text[start]) {
          case '!' -> LineParser.Verdict.rejected("it is marked");
          case '#' -> LineParser.Verdict.skipped("it is a remark");
          default -> LineParser.Verdict.REQUEST;
        };
      };

  private static final class MemorySource implements LogSource {
    private final byte[] bytes;

    MemorySource(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public String name() {
      return "memory";
    }

    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public InputStream open(long position) {
      return new ByteArrayInputStream(bytes, (int) position, bytes.length - (int) position);
    }
  }

  private final ParseStatistics statistics = new ParseStatistics();

  private static List<String> keys(LineRequests lines) throws IOException {
    List<String> keys = new ArrayList<>();
    RequestRow row = new RequestRow();
    while (lines.next(row)) {
      keys.add(row.text(RequestColumn.KEY) + "@" + row.number(RequestColumn.POSITION));
    }
    lines.close();
    return keys;
  }

  private List<String> whole(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return keys(LineRequests.whole(new ByteArrayInputStream(bytes), PARSER, statistics));
  }

  @Test
  void linesEndWithOrWithoutACarriageReturnOrNotAtAll() throws IOException {
    assertThat(whole("one\r\n\n\r\ntwo\nthree")).containsExactly("one@0", "two@8", "three@12");
    assertThat(statistics.records()).isEqualTo(3);
  }

  @Test
  void everyLineIsCountedWhateverBecomesOfIt() throws IOException {
    assertThat(whole("a\n!b\n#c\nd\n!e\n")).containsExactly("a@0", "d@8");
    assertThat(statistics.records()).isEqualTo(5);
    assertThat(statistics.requests()).isEqualTo(2);
    assertThat(statistics.rejected()).containsOnlyKeys("it is marked");
    assertThat(statistics.rejected().get("it is marked"))
        .isEqualTo(new ParseStatistics.Case(2, 2, "!b"));
    assertThat(statistics.skipped().get("it is a remark").count()).isEqualTo(1);
  }

  @Test
  void aLineOfManyMebibytesIsPassedOverAndCounted() throws IOException {
    String longest = "x".repeat(5 << 20);
    assertThat(whole("a\n" + longest + "\nb\n")).containsExactly("a@0", "b@" + (3 + (5 << 20)));
    assertThat(statistics.rejected()).containsOnlyKeys("longer than 1 MiB");
    assertThat(statistics.rejectedRecords()).isEqualTo(1);
    assertThat(whole(longest)).isEmpty();
    assertThat(statistics.rejectedRecords()).isEqualTo(2);
  }

  @Test
  void aLineThatJustFitsIsRead() throws IOException {
    String line = "x".repeat(1 << 20);
    assertThat(whole(line + "\nb")).hasSize(2);
    assertThat(whole(line + "x\nb")).hasSize(1);
  }

  @Test
  void partsThatTouchHaveEveryLineOnce() throws IOException {
    long seed = Long.getLong("penstock.test.seed", 1);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 300; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i >= 0; i--) {
        text.append("k".repeat(random.nextInt(9)))
            .append(i > 0 || random.nextBoolean() ? "\n" : "");
      }
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      List<String> joined = new ArrayList<>();
      for (long start = 0; start < bytes.length; ) {
        long end = Math.min(bytes.length, start + 1 + random.nextInt(7));
        joined.addAll(
            keys(
                LineRequests.part(
                    new MemorySource(bytes), start, end, PARSER, new ParseStatistics())));
        start = end;
      }
      assertThat(joined)
          .as("%s; replay with -Dtest=LineRequestsTest -Dpenstock.test.seed=%d", text, seed)
          .isEqualTo(whole(text.toString()));
    }
  }

  @Test
  void aPartWithinOneLongLineIsNotReadBeyondItsEnd() throws IOException {
    byte[] text = new byte[10 << 20];
    AtomicLong read = new AtomicLong();
    LogSource source = new MemorySource(text);
    LogSource counted =
        new LogSource() {
          @Override
          public String name() {
            return source.name();
          }

          @Override
          public long sizeBytes() {
            return source.sizeBytes();
          }

          @Override
          public String version() {
            return source.version();
          }

          @Override
          public InputStream open(long position) throws IOException {
            return new FilterInputStream(source.open(position)) {
              @Override
              public int read(byte[] target, int start, int count) throws IOException {
                int got = super.read(target, start, count);
                read.addAndGet(got);
                return got;
              }
            };
          }
        };
    assertThat(keys(LineRequests.part(counted, 1 << 20, 2 << 20, PARSER, statistics))).isEmpty();
    assertThat(read.get()).isLessThanOrEqualTo(2 << 20);
    assertThat(statistics.damage()).isEmpty();
  }

  @Test
  void aFileThatBecameShorterIsDamaged() throws IOException {
    byte[] text = "a\nb\n".getBytes(StandardCharsets.UTF_8);
    keys(LineRequests.part(new MemorySource(text), 0, 100, PARSER, statistics));
    assertThat(statistics.damage()).isEqualTo("became shorter while it was read");
    assertThat(statistics.records()).isEqualTo(2);
  }
}
