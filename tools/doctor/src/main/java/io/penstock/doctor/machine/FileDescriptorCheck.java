/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.machine;

import io.penstock.doctor.Check;
import io.penstock.doctor.CheckOutcome;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that the limit on open files is enough for connections, shuffle files and disk buffers.
 */
public record FileDescriptorCheck(Machine machine) implements Check {
  /**
   * Enough for the 500 connections of S3A's pool, jars, and the shuffle and spill files of a few
   * tasks.
   */
  private static final long FEW = 4096;

  private static final Pattern OPEN_FILES =
      Pattern.compile("(?m)^Max open files\\s+(\\d+|unlimited)\\s+(\\d+|unlimited)");

  @Override
  public String name() {
    return "open files";
  }

  @Override
  public List<CheckOutcome> look() {
    Optional<String> limits = machine.read("/proc/self/limits");
    Matcher line = OPEN_FILES.matcher(limits.orElse(""));
    if (!line.find()) {
      return List.of(
          CheckOutcome.skipped(name(), "no /proc/self/limits here", "Look with: ulimit -n"));
    }
    if (line.group(1).equals("unlimited")) {
      return List.of(CheckOutcome.pass(name(), "unlimited"));
    }
    long limit = Long.parseLong(line.group(1));
    String said = "%,d at most (hard limit %s)".formatted(limit, line.group(2));
    CheckOutcome outcome =
        limit < FEW
            ? CheckOutcome.warn(
                name(),
                said,
                "Raise the limit to 65536, with ulimit -n, LimitNOFILE of the service, or nofile of"
                    + " the container runtime. Both connections and shuffle files count as open"
                    + " files.")
            : CheckOutcome.pass(name(), said);
    return List.of(outcome.with("limit", limit));
  }
}
