/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.executor;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.tables.Label;
import io.penstock.tables.format.Counted;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rule R11: compares the CPU request of executors with their use. Pods that request only the CPU
 * they use fit more densely on nodes, and a CPU limit throttles pods.
 */
public final class CpuRequest extends Rule {
  static final String REQUEST = "spark.kubernetes.executor.request.cores";
  static final String LIMIT = "spark.kubernetes.executor.limit.cores";

  public CpuRequest() {
    super(
        new Label("R11", "cpu-request", "CPU request of the executors"),
        "AWS, Optimizing performance of Apache Spark workloads on Amazon S3; robusta-dev/krr",
        List.of("executors", "app", "troubles"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    JobSettings settings = evidence.settings();
    Executors executors = Executors.of(evidence.table("executors"));
    if (executors.aliveSeconds() < Limits.EXECUTOR_SECONDS_MIN) {
      return lacking(
          LogKind.EVENT_LOG,
          "These logs show no executor that ran for a minute. A Spark event log has the"
              + " executors.");
    }
    if (!settings.isOnKubernetes()) {
      return Optional.empty();
    }
    Optional<String> limit = settings.spark(LIMIT).filter(value -> isInReach(value, executors));
    if (limit.isEmpty() && IdleCores.isExplained(evidence)) {
      return dont()
          .because(
              "Cores were idle because stages with few or unequal tasks kept them waiting (R20,"
                  + " R26): change these first. Then the CPU of the executors is another one.")
          .leave(Confidence.MEDIUM);
    }
    double request = settings.spark(REQUEST).map(CpuRequest::cores).orElse(0.0);
    return judge(
        executors,
        request > 0 ? request : executors.coresOfOne(),
        limit,
        IdleCores.hasEnd(evidence),
        IdleCores.advised(evidence),
        settings);
  }

  /** Returns the cores of a Kubernetes quantity, such as 4, 0.75 or 750m. */
  private static double cores(String text) {
    try {
      return text.endsWith("m")
          ? Double.parseDouble(text.substring(0, text.length() - 1)) / 1000
          : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Returns true if tasks, and what else an executor does, may need more than the limit. */
  private static boolean isInReach(String limit, Executors executors) {
    double cores = cores(limit);
    return cores == 0
        || executors.coresOfOne() == 0
        || cores <= Limits.CPU_LIMIT_FACTOR * executors.coresOfOne();
  }

  static double best(double busyCores) {
    double steps = Math.round(Limits.CPU_FACTOR * busyCores / Limits.CPU_STEP);
    return Math.max(Limits.CPU_MIN, steps * Limits.CPU_STEP);
  }

  /**
   * Returns the advice for these executors.
   *
   * @param request the cores that each requested
   * @param hasEnd false if tasks that ran at the end of the log are missing
   * @param fewer how many executors the rule idle-cores advises: those that stay have the work of
   *     all
   */
  Optional<Advice> judge(
      Executors executors,
      double request,
      Optional<String> limit,
      boolean hasEnd,
      OptionalLong fewer,
      JobSettings settings) {
    double stay = fewer.isPresent() ? fewer.getAsLong() / executors.atOnce() : 1;
    double busy = executors.busyCores() / stay;
    double best =
        best(executors.coresOfOne() > 0 ? Math.min((double) executors.coresOfOne(), busy) : busy);
    boolean isOther = Math.abs(best - request) >= Limits.RESOURCE_CHANGE * request;
    // Either way, what is known is too little for a lower request.
    boolean isUnknown = isOther && best < request && (settings.isPython() || !hasEnd);
    String missing =
        settings.isPython()
            ? "The program is in Python, and Spark does not count Python's CPU time. The metrics of"
                + " the pods show that time."
            : "The event log is incomplete: tasks that were still running at its last event are"
                + " missing.";
    if (isUnknown && limit.isEmpty()) {
      return lacking(LogKind.EVENT_LOG, "%s", missing);
    }
    boolean isDue = limit.isPresent() || isOther;
    // What rests on a trial of another rule is a trial itself.
    Draft draft = fewer.isPresent() ? benchmarkIf(isDue) : doIf(isDue);
    draft.because(
        "On average, the tasks of %s kept %.2f cores busy, of the %.2f cores that each executor"
            + " requested. The busy cores are a lower bound, because garbage collection (%.0f s)"
            + " and I/O threads are not counted. KRR (Kubernetes Resource Recommender) uses the"
            + " 95th percentile of the CPU use, which an event log does not show.",
        Counted.of(executors.count(), "executor"),
        executors.busyCores(),
        request,
        executors.gcSeconds());
    if (isUnknown) {
      draft.note(missing);
    } else if (fewer.isPresent()) {
      draft.because(
          "With the smaller number of executors that the rule idle-cores recommends, each executor"
              + " needs %.2f cores.",
          busy);
    }
    if (!isDue) {
      return draft.leave(Confidence.MEDIUM);
    }
    if (!isUnknown) {
      draft.change(
          settings.change(
              Target.SPARK,
              REQUEST,
              "spark.executor.cores",
              String.format(java.util.Locale.ROOT, "%.2f", best)));
    }
    limit.ifPresent(value -> draft.change(Target.SPARK, LIMIT, value, ""));
    return draft
        .effect(
            Confidence.MEDIUM,
            !isUnknown && best < request ? Limits.CPU_GAIN_PERCENT : 0,
            "in a job published by AWS, the CPU request was lowered from 4 to 0.75 cores, with no"
                + " CPU limit; the CPU use of the nodes rose from 65 to 75 %%, and with more"
                + " executors on the nodes, the job took 16 %% less time")
        .risk(
            "the pods on a busy node share its CPU in proportion to their CPU requests. Do not"
                + " change spark.executor.cores, which sets how many tasks an executor runs at the"
                + " same time")
        .verify("CPU share of the run time, elapsed time, CPU use in the pods' metrics")
        .done();
  }
}
