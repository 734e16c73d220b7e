/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor;

import io.penstock.doctor.DoctorReport.Line;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs checks one after another. No check can block it: a check that exceeds its time limit has
 * failed, and its thread is left behind.
 */
public final class Doctor {
  private final Consumer<String> progress;
  private final List<Line> lines = new ArrayList<>();

  /**
   * @param progress receives the name of each check before it runs
   */
  public Doctor(Consumer<String> progress) {
    this.progress = progress;
  }

  /**
   * Runs a group of checks. Once a gate has failed, the rest of the group is skipped. Returns true
   * if no gate has failed.
   */
  public boolean run(String group, List<Check> checks) throws InterruptedException {
    String closedBy = "";
    for (Check check : checks) {
      if (!closedBy.isEmpty()) {
        lines.add(new Line(group, CheckOutcome.skipped(check.name(), "because of: " + closedBy)));
        continue;
      }
      progress.accept(check.name());
      List<CheckOutcome> outcomes = timely(check);
      outcomes.forEach(outcome -> lines.add(new Line(group, outcome)));
      boolean failed = outcomes.stream().anyMatch(outcome -> outcome.verdict() == Verdict.FAIL);
      if (failed && check.isGate()) {
        closedBy = check.name();
      }
    }
    return closedBy.isEmpty();
  }

  /** Adds an outcome that was found without running a check. */
  public void add(String group, CheckOutcome outcome) {
    lines.add(new Line(group, outcome));
  }

  public List<Line> lines() {
    return List.copyOf(lines);
  }

  private static List<CheckOutcome> timely(Check check) throws InterruptedException {
    FutureTask<List<CheckOutcome>> task = new FutureTask<>(check::look);
    Thread thread = new Thread(task, "penstock-doctor-" + check.name().replace(' ', '-'));
    thread.setDaemon(true); // a look-up of a name cannot be interrupted
    thread.start();
    try {
      return task.get(check.ceiling().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      task.cancel(true);
      return List.of(tooLate(check));
    } catch (ExecutionException e) {
      return List.of(broken(check, e.getCause()));
    }
  }

  private static CheckOutcome tooLate(Check check) {
    Duration ceiling = check.ceiling();
    return CheckOutcome.fail(
        check.name(),
        "no result within %d s".formatted(Math.max(1, ceiling.toSeconds())),
        "Packets to the store are dropped without an answer. Check the network policy, security"
            + " group, firewall and route from this machine to the store.");
  }

  private static CheckOutcome broken(Check check, Throwable failure) {
    boolean speaks = failure instanceof IOException && failure.getMessage() != null;
    return CheckOutcome.fail(
        check.name(),
        speaks ? failure.getMessage() : failure.toString(),
        "Fix the cause that is named here, and run the doctor again.");
  }
}
