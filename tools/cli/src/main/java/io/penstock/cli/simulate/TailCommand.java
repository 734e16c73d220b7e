/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.simulate;

import io.penstock.cli.print.Terminal;
import io.penstock.simulator.tail.Spread;
import io.penstock.simulator.tail.TailRow;
import io.penstock.simulator.tail.TailRun;
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

/**
 * The command {@code penstock simulate tail}: shows the effect of hedges and deadlines on slow
 * requests.
 */
@Command(
    name = "tail",
    description =
        "Simulates part uploads with latencies that were measured on S3. Compares timeouts, hedges"
            + " and Penstock's own decisions as remedies for slow uploads.",
    mixinStandardHelpOptions = true)
final class TailCommand implements Callable<Integer> {
  private static final int QUIET_REQUESTS = 1_000_000;

  private enum Format {
    TABLE,
    CSV,
    MD
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--requests",
      defaultValue = "10000000",
      description = "Number of requests. Default: ${DEFAULT-VALUE}.")
  private long requests;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed; the same seed gives the same output. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--rho",
      defaultValue = "0",
      description =
          "Correlation between the latencies of the attempts of one request; at least 0, and less"
              + " than 1. Default: ${DEFAULT-VALUE}.")
  private double rho;

  @Option(
      names = "--format",
      defaultValue = "table",
      description = "table, csv or md. Default: ${DEFAULT-VALUE}.")
  private Format format;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Terminal terminal = new Terminal(spec.commandLine().getErr());
    List<TailRow> rows =
        new TailRun(requests, seed, rho)
            .run(
                done -> {
                  if (requests > QUIET_REQUESTS && done < requests) {
                    terminal.progress("%d of %d requests".formatted(done, requests));
                  }
                });
    if (requests > QUIET_REQUESTS) {
      terminal.done("%d requests, seed %d, rho %s".formatted(requests, seed, rho));
    }
    out.print(print(spreads(rows)));
    out.println();
    out.print(print(slowest(rows)));
    out.println();
    out.print(print(jobs(rows)));
    out.flush();
    return 0;
  }

  /** The columns of the published measurement, which is the first row, and what policies change. */
  private List<String[]> spreads(List<TailRow> rows) {
    List<String[]> lines = new ArrayList<>();
    lines.add(
        new String[] {
          "policy", "p25 ms", "p50", "p95", "> 5 s", "> 10 s", "> 30 s", "> 60 s", "extra %"
        });
    lines.add(spread("published", Spread.published(requests), "-"));
    for (TailRow row : rows) {
      lines.add(spread(row.policy(), row.spread(), decimals(row.extraPercent(), 2)));
    }
    return lines;
  }

  private static String[] spread(String policy, Spread spread, String extra) {
    return new String[] {
      policy,
      decimals(spread.p25Millis(), 0),
      decimals(spread.p50Millis(), 0),
      decimals(spread.p95Millis(), 0),
      decimals(spread.over5Seconds(), 0),
      decimals(spread.over10Seconds(), 0),
      decimals(spread.over30Seconds(), 0),
      decimals(spread.over60Seconds(), 0),
      extra
    };
  }

  private static List<String[]> slowest(List<TailRow> rows) {
    List<String[]> lines = new ArrayList<>();
    lines.add(new String[] {"seconds", "p99", "p99.9", "p99.99", "max"});
    for (TailRow row : rows) {
      lines.add(
          new String[] {
            row.policy(),
            decimals(row.p99Seconds(), 2),
            decimals(row.p999Seconds(), 2),
            decimals(row.p9999Seconds(), 2),
            decimals(row.maxSeconds(), 1)
          });
    }
    return lines;
  }

  private static List<String[]> jobs(List<TailRow> rows) {
    List<String[]> lines = new ArrayList<>();
    lines.add(
        new String[] {
          "seconds", "stage: median task", "slowest", "512-part upload: median", "p99"
        });
    for (TailRow row : rows) {
      lines.add(
          new String[] {
            row.policy(),
            decimals(row.medianTaskSeconds(), 1),
            decimals(row.slowestTaskSeconds(), 1),
            decimals(row.medianUploadSeconds(), 1),
            decimals(row.p99UploadSeconds(), 1)
          });
    }
    return lines;
  }

  private static String decimals(double value, int digits) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private String print(List<String[]> lines) {
    return switch (format) {
      case TABLE -> {
        AlignedRows table = new AlignedRows(lines.get(0));
        lines.subList(1, lines.size()).forEach(table::row);
        yield table.toString();
      }
      case CSV -> {
        StringBuilder text = new StringBuilder();
        // Only the name of a policy may contain a comma.
        lines.forEach(
            line -> text.append('"').append(line[0]).append("\",").append(rest(line, ",")));
        yield text.toString();
      }
      case MD -> {
        StringBuilder text = new StringBuilder();
        for (String[] line : lines) {
          text.append("| ").append(line[0]).append(" | ").append(rest(line, " | "));
          text.setLength(text.length() - 1);
          text.append(" |\n");
          if (line == lines.get(0)) {
            text.append("|---").append("|---:".repeat(line.length - 1)).append("|\n");
          }
        }
        yield text.toString();
      }
    };
  }

  private static String rest(String[] line, String between) {
    return String.join(between, List.of(line).subList(1, line.length)) + "\n";
  }
}
