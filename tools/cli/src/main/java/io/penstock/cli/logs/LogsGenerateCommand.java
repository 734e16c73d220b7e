/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.logs;

import io.penstock.cli.print.Terminal;
import io.penstock.loggen.GeneratedLogs;
import io.penstock.loggen.Generation;
import io.penstock.loggen.plan.LogForm;
import io.penstock.loggen.plan.LogScenario;
import io.penstock.loggen.plan.LogSetOptions;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code penstock logs generate}: writes logs of a job that S3 throttled or answered
 * slowly.
 */
@Command(
    name = "generate",
    description = {
      "Generates the logs of a Spark job that S3 throttles: S3 server access log, CloudTrail and"
          + " Spark event log. The counts in these logs follow a published benchmark. The file"
          + " truth.json lists the findings that an analysis should report.",
      ""
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class LogsGenerateCommand implements Callable<Integer> {
  private static final long REQUESTS = 150_000;
  private static final int STOPS_WITHIN_SECONDS = 20;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Output directory; created if missing.")
  private Path directory;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "throttled",
      description =
          "throttled (503 SlowDown), or tail (part uploads that take up to two minutes). Default:"
              + " ${DEFAULT-VALUE}.")
  private LogScenario scenario;

  @Option(
      names = "--run",
      paramLabel = "1..10",
      defaultValue = "9",
      description =
          "Run of the benchmark. Runs 1, 3, 5, 7 and 9 use backoff; each is throttled more than the"
              + " one before. Runs 2, 4, 6, 8 and 10 are the same jobs with AIMD. Default:"
              + " ${DEFAULT-VALUE}.")
  private int run;

  @Option(
      names = "--requests",
      paramLabel = "N",
      converter = Count.Reader.class,
      description = "Number of requests, such as 150k or 10M. Default: 150k.")
  private Count requests;

  @Option(
      names = "--scale",
      paramLabel = "X",
      description =
          "Size of the logs as a share of the chosen run of the published benchmark (see --run),"
              + " instead of --requests. With 1, the counts are exactly those of that run.")
  private Double scale;

  @Option(
      names = "--format",
      paramLabel = "NAMES",
      split = ",",
      defaultValue = "access-log,event-log",
      description = "Logs to write: access-log, cloudtrail, event-log. Default: ${DEFAULT-VALUE}.")
  private List<String> formats;

  @Option(names = "--gzip", description = "Compress the access log.")
  private boolean gzip;

  @Option(
      names = "--prefixes",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of directories that the job writes to. The first directory gets the largest"
              + " share. Default: ${DEFAULT-VALUE}.")
  private int prefixes;

  @Option(
      names = "--odd-lines",
      paramLabel = "SHARE",
      defaultValue = "0.005",
      description =
          "Share of unusual lines in the access log: stray quotes, missing fields, duplicates and"
              + " other oddities of S3's real logs. Default: ${DEFAULT-VALUE}.")
  private double oddLines;

  @Option(
      names = "--audit",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Whether requests have S3A's audit header as their referer. Default:"
              + " ${DEFAULT-VALUE}.")
  private boolean audit;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed; the same seed gives the same bytes. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--force",
      description =
          "Write even if the directory is not empty, and replace the logs of an earlier run.")
  private boolean force;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Generation generation = new Generation(options(), directory, force);
    Terminal terminal = new Terminal(spec.commandLine().getErr());
    CountDownLatch ended = new CountDownLatch(1);
    Thread atExit = new Thread(() -> stop(generation, ended), "penstock-logs-stop");
    Runtime.getRuntime().addShutdownHook(atExit);
    GeneratedLogs logs;
    try {
      logs = generation.run(new Percents(terminal));
    } finally {
      terminal.clear();
      ended.countDown();
    }
    Runtime.getRuntime().removeShutdownHook(atExit);
    print(logs);
    return 0;
  }

  /** Stops after Ctrl-C. Incomplete files are deleted before the process ends. */
  private static void stop(Generation generation, CountDownLatch ended) {
    generation.cancel();
    try {
      if (!ended.await(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private LogSetOptions options() {
    if (requests != null && scale != null) {
      throw new IllegalArgumentException("--requests and --scale both say how many; give one");
    }
    long wanted =
        scale != null
            ? LogSetOptions.requestsAt(scenario, run, scale)
            : requests != null ? requests.value() : REQUESTS;
    return new LogSetOptions(
        scenario,
        run,
        wanted,
        seed,
        formats(),
        gzip,
        oddLines,
        prefixes,
        audit,
        Runtime.getRuntime().availableProcessors());
  }

  private Set<LogForm> formats() {
    Set<LogForm> chosen = EnumSet.noneOf(LogForm.class);
    for (String name : formats) {
      chosen.add(
          Arrays.stream(LogForm.values())
              .filter(format -> format.toString().equals(name.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "'" + name + "' is not a format; write " + names())));
    }
    return chosen;
  }

  private static String names() {
    return Arrays.stream(LogForm.values()).map(LogForm::toString).collect(Collectors.joining(", "));
  }

  private void print(GeneratedLogs logs) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(GeneratedText.of(logs, directory));
    out.flush();
  }

  /** Reports every tenth of a long generation. */
  private static final class Percents implements Generation.Progress {
    private static final long QUIET_REQUESTS = 500_000;

    private final Terminal terminal;
    private long shown;

    Percents(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public synchronized void at(long done, long of) {
      long tenths = 10 * done / of;
      if (of > QUIET_REQUESTS && tenths > shown && done < of) {
        shown = tenths;
        terminal.progress("%s of %s requests".formatted(Values.count(done), Values.count(of)));
      }
    }
  }
}
