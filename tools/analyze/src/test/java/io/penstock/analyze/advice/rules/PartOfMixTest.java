/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.AdviceOptions;
import io.penstock.analyze.input.LocalSource;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.analyze.logs.Filter;
import io.penstock.analyze.logs.LogData;
import io.penstock.analyze.logs.LogOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The advice on a part of a mix of requests is that of the part alone, whatever chooses it. */
class PartOfMixTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("'['dd/MMM/yyyy:HH:mm:ss +0000']'", Locale.US)
          .withZone(ZoneOffset.UTC);

  @TempDir Path directory;

  /** A job's manner: what it asks, how often S3 throttles it and how slow S3 is. */
  private record Job(String who, String bucket, String prefix, Instant from, Random random) {
    String line(int number) {
      boolean isThrottled = random.nextInt(100) < (who.equals("etl") ? 30 : 2);
      String verb = List.of("PUT", "GET", "HEAD", "DELETE").get(random.nextInt(4));
      int millis = random.nextInt(400) == 0 ? 20_000 : 20 + random.nextInt(100);
      return "o %s %s 10.0.0.%d arn:aws:iam::1:role/%s %s%08X REST.%s.OBJECT %s/f-%d \"%s /x HTTP/1.1\" %s %s %d %d 5 \"-\" \"aws-sdk-java/2.25 %s\" -"
          .formatted(
              bucket,
              TIME.format(from.plusSeconds(number / 20)),
              1 + random.nextInt(4),
              who,
              who.toUpperCase(Locale.ROOT),
              number,
              verb,
              prefix,
              random.nextInt(500),
              verb,
              isThrottled ? "503 SlowDown" : "200 -",
              verb.equals("GET") ? "300000" : "-",
              300_000,
              isThrottled ? 4 : millis,
              who);
    }
  }

  private final List<String> etl = new ArrayList<>();
  private final List<String> mix = new ArrayList<>();

  private void write(long seed) {
    Job one = new Job("etl", "lake", "sales", START, new Random(seed));
    Job other = new Job("reports", "marts", "views", START.plusSeconds(9000), new Random(seed + 1));
    Random order = new Random(seed + 2);
    for (int i = 0; i < 6000; i++) {
      String line = one.line(i);
      etl.add(line);
      mix.add(line);
      for (int more = order.nextInt(4); more > 0; more--) {
        mix.add(other.line(4 * i + more));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyFilterChoosesThePartAlone(long seed) throws IOException {
    write(seed);
    List<Advice> alone = advice("alone", etl, Filter.NONE, Optional.empty());
    Optional<String> none = Optional.empty();
    Optional<Instant> never = Optional.empty();
    for (Filter filter :
        List.of(
            new Filter(never, never, none, none, Optional.of("role/etl"), none),
            new Filter(never, never, Optional.of("lake"), none, none, none),
            new Filter(never, never, none, Optional.of("sales/"), none, none),
            new Filter(never, Optional.of(START.plusSeconds(9000)), none, none, none, none))) {
      assertThat(told(advice("mix", mix, filter, Optional.empty())))
          .describedAs("seed %d, %s", seed, filter)
          .isEqualTo(told(alone));
    }
  }

  @Test
  void ownRequestsAreWhatAllRulesButThoseOfTheLoadSee() throws IOException {
    write(4);
    List<String> alone = told(advice("alone", etl, Filter.NONE, Optional.of("role/etl")));
    List<String> own = told(advice("mix", mix, Filter.NONE, Optional.of("role/etl")));
    assertThat(own).hasSameSizeAs(alone).isNotEmpty();
    assertThat(notOfLoad(own)).isEqualTo(notOfLoad(alone)).isNotEmpty();
    assertThat(own).isNotEqualTo(told(advice("mix", mix, Filter.NONE, Optional.empty())));
  }

  @Test
  void anOwnerWithoutRequestsIsRefused() throws IOException {
    write(5);
    assertThatThrownBy(() -> advice("mix", mix, Filter.NONE, Optional.of("no one")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("contains no one")
        .hasMessageContaining("role/etl")
        .hasMessageContaining("role/reports");
  }

  private static List<String> notOfLoad(List<String> advice) {
    return advice.stream().filter(text -> !text.matches("R[12] .*")).toList();
  }

  private static List<String> told(List<Advice> advice) {
    return advice.stream()
        .map(
            one ->
                String.join(
                    " ",
                    one.rule(),
                    one.verdict().name(),
                    ofRequests(one.evidence()),
                    one.changes().toString(),
                    one.effect()))
        .toList();
  }

  /** Without what is said of the files that were given, which no filter changes. */
  private static String ofRequests(String evidence) {
    return evidence
        .replaceFirst("0 of [0-9,]+ lines could not be read\\.", "")
        .replaceFirst("The access log that you gave .*", "");
  }

  private List<Advice> advice(String name, List<String> lines, Filter filter, Optional<String> own)
      throws IOException {
    Path file = Files.write(directory.resolve(name), lines);
    AdviceOptions none = AdviceOptions.none();
    AdviceOptions options =
        new AdviceOptions(
            none.cores(), own, none.app(), none.hadoop(), none.client(), none.prices());
    try (LogData data =
        LogData.open(
            List.of(LocalSource.of(file)),
            new LogOptions(Optional.empty(), 500, 2, filter),
            ReadProgress.NONE)) {
      return Advisor.advise(data.engine(), options);
    }
  }
}
