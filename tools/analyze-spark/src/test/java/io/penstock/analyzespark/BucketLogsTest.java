/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.analysis.Analysis;
import io.penstock.analyze.engine.EngineChoice;
import io.penstock.analyze.input.BucketSource;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.analyze.logs.Filter;
import io.penstock.analyze.logs.LogData;
import io.penstock.analyze.logs.LogOptions;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.Engine;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.emulator.s3.Credentials;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.tables.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors read logs in buckets themselves, with what the driver knows of the way there. */
class BucketLogsTest {
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYzEXAMPLEKEY";

  /** Quotes and a backslash, which each engine reads in its own way. */
  private static final Filter FILTER =
      new Filter(
          Optional.of(Instant.parse("2026-03-01T23:58:20Z")),
          Optional.of(Instant.parse("2026-03-02T00:58:20Z")),
          Optional.of("lake"),
          Optional.of("it's/\"q\"/\\back\\"),
          Optional.of("aws-sdk"),
          Optional.of("access_log"));

  @TempDir Path directory;

  @Test
  void theTablesAreTheSameAndNoSecretIsInSparksEventLog() throws IOException {
    Path events = Files.createDirectory(directory.resolve("events"));
    Path logs = Files.createDirectory(directory.resolve("logs"));
    Path work = Files.createDirectory(directory.resolve("work"));
    try (EmbeddedS3 s3 =
        EmbeddedS3.builder().bucket("logs").credentials(Credentials.of("AKIA1", SECRET)).start()) {
      Map<String, String> settings =
          Map.of(
              "penstock.endpoint",
              s3.endpoint().toString(),
              "penstock.path.style",
              "true",
              "fs.s3a.access.key",
              "AKIA1",
              "fs.s3a.secret.key",
              SECRET);
      try (StoreStack stack =
          StoreStack.open(
              Engine.process(), "logs", Settings.of(settings), getClass().getClassLoader())) {
        for (Path file : GeneratedLogs.write(logs)) {
          Body body = Body.ofBytes(Files.readAllBytes(file));
          stack.store().put("in/" + file.getFileName(), body, Condition.NONE);
        }
        List<LogSource> sources = BucketSource.below(stack.store(), "in");
        LocalSpark.start(
            Map.of(
                "spark.eventLog.enabled", "true",
                "spark.eventLog.compress", "false",
                "spark.eventLog.dir", events.toString()));
        EngineChoice choice = new EngineChoice("spark", Optional.of(work.toString()), settings);
        Table spark = errors(sources, Optional.of(choice));
        Table duck = errors(sources, Optional.empty());

        assertThat(duck.rows()).isNotEmpty();
        assertThat(Twins.differences(duck.columns(), duck.rows(), spark.rows())).isEmpty();
        assertThat(choice.toString()).doesNotContain(SECRET);
      }
    }
    assertThat(text(events)).isNotEmpty().allMatch(text -> !text.contains(SECRET));
    assertThat(work).isEmptyDirectory();
  }

  private static Table errors(List<LogSource> sources, Optional<EngineChoice> elsewhere)
      throws IOException {
    Analysis errors = Analyses.named("errors").orElseThrow();
    LogOptions options = new LogOptions(Optional.empty(), 500, 2, FILTER, elsewhere);
    try (LogData data = LogData.open(sources, options, ReadProgress.NONE)) {
      return errors.run(data.engine());
    }
  }

  private static List<String> text(Path directory) throws IOException {
    List<String> texts = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        texts.add(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    return texts;
  }
}
