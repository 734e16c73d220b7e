/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.accesslog.AccessLog;
import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.tables.Column;
import io.penstock.tables.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** S3 writes access logs as many files of a few lines. */
class ManyFilesTest {
  private static final String LINE =
      "o b [06/Feb/2012:00:00:38 -0500] - - %s REST.HEAD.OBJECT k - 200 - 1 2 3 4 - -\n";

  @Test
  void aSmallFileIsOpenedOnceAndALargeOneAsOftenAsNeeded() throws IOException {
    List<CountingSource> files = new ArrayList<>();
    StringBuilder large = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      files.add(
          new CountingSource("small-" + i, LINE.formatted("A" + i) + LINE.formatted("B" + i)));
      large.append(LINE.formatted("C" + i));
    }
    files.add(new CountingSource("large", large.toString()));
    LogOptions options = new LogOptions(Optional.empty(), 200, 2, Filter.NONE);
    try (LogData data = LogData.open(List.copyOf(files), options, ReadProgress.NONE)) {
      assertThat(
              data.engine()
                  .rows(
                      "select count(distinct req_id), count(distinct file), min(position),"
                          + " max(position) from s3_requests",
                      List.of(
                          new Column("requests", Kind.COUNT),
                          new Column("files", Kind.COUNT),
                          new Column("first", Kind.COUNT),
                          new Column("last", Kind.COUNT))))
          .containsExactly(
              List.of(900L, 301L, 0L, (long) large.length() - LINE.formatted("C299").length()));
    }
    assertThat(files.get(300).opened).hasValue(2);
    assertThat(files.subList(0, 300)).allSatisfy(file -> assertThat(file.opened).hasValue(1));
  }

  /** The look at bytes and the look at lines say the same. */
  @ParameterizedTest
  @CsvSource({
    "'o b [06/Feb/2012:00:00:38 -0500] ', true",
    "'o b [06/Feb/2012:00:00:38 -0500] x\r\no b [06/Feb/2012:00:00:38 -0500] y\r\n\r\n', true",
    "'o  b [06/Feb/2012:00:00:38 -0500] ', true",
    "'o b [06/Feb/2012:00:00:38 -0500] x\njunk', true",
    "'junk\njunk\no b [06/Feb/2012:00:00:38 -0500] x', false",
    "'o b [06/Feb/2012:00:00:38 -0500]', false",
    "'o [06/Feb/2012:00:00:38 -0500] b ', false",
    "' o b [06/Feb/2012:00:00:38 -0500] ', false",
    "'o b', false",
    "'o b ', false",
    "'\n\n', false",
    "'', false",
  })
  void anAccessLogIsToldByHowItsLinesBegin(String text, boolean isLog) {
    Head head = Head.of(text.getBytes(StandardCharsets.UTF_8));
    assertThat(new AccessLog().matches(head)).isEqualTo(isLog);
  }

  private static final class CountingSource implements LogSource {
    private final AtomicInteger opened = new AtomicInteger();
    private final String name;
    private final byte[] bytes;

    CountingSource(String name, String text) {
      this.name = name;
      this.bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String name() {
      return name;
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
      opened.incrementAndGet();
      return new ByteArrayInputStream(bytes, (int) position, bytes.length - (int) position);
    }
  }
}
