/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import io.penstock.core.config.Sizes;
import io.penstock.s3model.Latency;
import io.penstock.simulator.read.ReadJob;
import io.penstock.simulator.read.ReadOutcome;
import io.penstock.simulator.read.ReadRun;
import io.penstock.simulator.read.Splitting;
import io.penstock.tables.format.AlignedRows;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code penstock simulate reads}: into how many requests to split large ranges. */
@Command(
    name = "reads",
    description =
        "Simulates the tasks of one executor that read a columnar table. Compares three ways to"
            + " read a range: in one request, in pieces of 8 MiB, and as Penstock decides.",
    mixinStandardHelpOptions = true)
final class ReadsCommand implements Callable<Integer> {
  private static final int SLOTS_MAX = 1_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--slots",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "1,2,4,8,16,32",
      description =
          "Numbers of tasks that run at the same time. The output has one row for each number."
              + " Default: ${DEFAULT-VALUE}.")
  private List<Integer> slots = List.of();

  @Option(
      names = "--range",
      paramLabel = "SIZE",
      defaultValue = "32M",
      description = "Size of a range that a task reads. Default: ${DEFAULT-VALUE}.")
  private String range;

  @Option(
      names = "--ranges",
      paramLabel = "N",
      defaultValue = "32",
      description =
          "Number of ranges to read for each slot (see --slots). A task reads four ranges, so a"
              + " number above four is rounded up to a multiple of four. Default:"
              + " ${DEFAULT-VALUE}.")
  private int ranges;

  @Option(
      names = "--latency",
      paramLabel = "LAW",
      defaultValue = "30ms",
      description =
          "Time to the first byte: none, a fixed time such as 30ms, lognormal:P50,P99, or s3 (as"
              + " measured on S3). Default: ${DEFAULT-VALUE}.")
  private String latency;

  @Option(
      names = "--connection",
      paramLabel = "SIZE",
      defaultValue = "60M",
      description = "Bytes per second of a connection. Default: ${DEFAULT-VALUE}.")
  private String connection;

  @Option(
      names = "--network",
      paramLabel = "SIZE",
      defaultValue = "1200M",
      description =
          "Bytes per second of all connections; 1200M is 10 Gbit/s. Default:"
              + " ${DEFAULT-VALUE}.")
  private String network;

  @Option(
      names = "--decode",
      paramLabel = "SIZE",
      defaultValue = "400M",
      description = "Bytes per second that a task decodes. Default: ${DEFAULT-VALUE}.")
  private String decode;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed; the same seed gives the same output. Default: ${DEFAULT-VALUE}.")
  private long seed;

  private static final int RANGES_A_TASK = 4;

  @Override
  public Integer call() {
    List<ReadJob> jobs = slots.stream().map(this::job).toList();
    List<String> head = new ArrayList<>(List.of("slots"));
    for (String title : List.of("whole", "8 MiB", "Penstock")) {
      head.addAll(List.of(title, "GETs"));
    }
    head.addAll(List.of("in flight", "MB/s"));
    AlignedRows table = new AlignedRows(head.toArray(new String[0]));
    jobs.forEach(job -> table.row(row(job)));
    PrintWriter out = spec.commandLine().getOut();
    out.print(table);
    out.println();
    out.println(
        "whole: one request for each range. 8 MiB: pieces of that size. in flight: the"
            + "\nmost requests of Penstock at once. MB/s: bytes in all over Penstock's time.");
    out.flush();
    return 0;
  }

  private ReadJob job(int slots) {
    if (slots < 1 || slots > SLOTS_MAX) {
      throw new IllegalArgumentException(
          "--slots must be from 1 to %,d, got %d".formatted(SLOTS_MAX, slots));
    }
    if (ranges < 1) {
      throw new IllegalArgumentException("--ranges must be at least 1, got " + ranges);
    }
    int tasks = slots * ((ranges + RANGES_A_TASK - 1) / RANGES_A_TASK);
    return new ReadJob(
        slots,
        tasks,
        Math.min(ranges, RANGES_A_TASK),
        size("--range", range),
        Latency.parse(latency),
        size("--connection", connection),
        size("--network", network),
        size("--decode", decode));
  }

  private static long size(String option, String text) {
    try {
      return Sizes.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s=%s: %s".formatted(option, text, e.getMessage()), e);
    }
  }

  private String[] row(ReadJob job) {
    List<String> cells = new ArrayList<>(List.of(Integer.toString(job.slots())));
    ReadOutcome last = null;
    for (Splitting splitting : Splitting.values()) {
      last = ReadRun.of(job, splitting, seed);
      cells.add(String.format(Locale.ROOT, "%.2f s", last.seconds()));
      cells.add(String.format(Locale.ROOT, "%,d", last.requests()));
    }
    cells.add(Integer.toString(last.inFlightMost()));
    cells.add(String.format(Locale.ROOT, "%,.0f", job.totalBytes() / last.seconds() / 1e6));
    return cells.toArray(new String[0]);
  }
}
