/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.throttling;

import io.penstock.analyze.advice.Change;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Executors;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.rules.facts.ToldErrors;
import io.penstock.analyze.advice.rules.throttling.RateDecider.Control;
import io.penstock.analyze.advice.whatif.Waiting;
import io.penstock.analyze.analysis.JobLimits;
import io.penstock.tables.format.Counted;
import java.util.List;

/**
 * The facts for rules R1 and R2, which give two answers to the same question.
 *
 * @param waiting a sentence about the cost of throttled requests; empty if there is nothing to say
 * @param told a sentence about what exceptions tell of throttling; empty if they tell nothing
 * @param ofDrives answers by which MinIO says that too few of its drives respond
 */
record RateFacts(
    Load load,
    Control control,
    Client client,
    double cores,
    long medianFile,
    String waiting,
    String told,
    long ofDrives) {
  static final List<String> QUERIES =
      List.of("load", "sharers", "files", "executors", "waiting", ToldErrors.QUERY, "drives");
  static final String SOURCE =
      "AWS EMR best practices, EMRFS AIMD: guidelines and the table of its benchmark";

  RateFacts(Load load, Control control, Client client, double cores, long medianFile) {
    this(load, control, client, cores, medianFile, "", "", 0);
  }

  static RateFacts of(Evidence evidence) {
    Load load =
        Load.of(evidence.table("load"), evidence.table("sharers"), evidence.options().own());
    return new RateFacts(
        load,
        control(evidence.settings()),
        evidence.settings().client(),
        evidence.cores(Executors.of(evidence.table("executors")).cores()),
        evidence.table("files").count(0, "median_bytes"),
        new Waiting(evidence.table("waiting"))
            .sentence(Waiting.Cause.THROTTLED, evidence.options().prices()),
        ToldErrors.throttled(evidence).orElse(""),
        evidence.table("drives").count(0, "requests"));
  }

  private static Control control(JobSettings settings) {
    if (!settings.runsPenstock()) {
      boolean hasAimd =
          settings.hadoop("fs.s3.aimd.enabled").map(Boolean::parseBoolean).orElse(false);
      return settings.client() == Client.EMRFS && hasAimd ? Control.AIMD : Control.BACKOFF;
    }
    String policy = settings.hadoop("penstock.rate.policy").orElse("adaptive");
    return switch (policy) {
      case "adaptive" -> Control.ADAPTIVE;
      case "aimd" -> Control.AIMD;
      default -> Control.BACKOFF;
    };
  }

  RateDecider.Answer answer() {
    RateDecider.Answer answer = RateDecider.decide(load, control);
    boolean isOfRate = answer == RateDecider.Answer.ON || answer == RateDecider.Answer.TRIAL;
    if (isOfRate && 2 * ofDrives >= load.throttled()) {
      return RateDecider.Answer.OF_DRIVES;
    }
    return isOfRate && isOfPart() && !isForS3a() ? RateDecider.Answer.OF_PART : answer;
  }

  /** Returns true if more was not sent than any prefix of Amazon S3 takes. */
  private boolean isOfPart() {
    return load.peakWrites() < Limits.LIMIT_SHARE_MIN * Limits.PREFIX_WRITES;
  }

  /** Adds the numbers to the evidence, with the throttled share of writes and of all requests. */
  Draft into(Draft draft) {
    draft.because(
        "S3 throttled %,d of %,d writes (%.2f %%) and %.2f %% of all %,d requests. %s had throttled"
            + " requests.",
        load.throttledWrites(),
        load.writes(),
        load.throttledWritesPercent(),
        load.throttledPercent(),
        load.requests(),
        Counted.of(load.throttledSeconds(), "second"));
    if (load.ownPercent().isPresent() && load.throttled() > 0) {
      draft.because(
          "%s sent %.0f %% of the requests in those seconds.",
          load.owner(), load.ownPercent().getAsDouble());
    }
    draft.note(waiting).note(told);
    if (load.capacityWrites() > 0) {
      draft.because(
          "While S3 throttled, it accepted %,.0f writes/s; at the peak, clients sent %,.0f"
              + " writes/s.",
          load.capacityWrites(), load.peakWrites());
    }
    if (load.throttledWrites() > 0 && isOfPart()) {
      draft.because(
          "Amazon S3 takes %,.0f writes a second of a prefix: so these logs have a part of the load"
              + " only, or the store is another one.",
          Limits.PREFIX_WRITES);
    }
    boolean hasSmallFiles = medianFile > 0 && medianFile < JobLimits.SMALL_FILE;
    if (cores > Limits.LARGE_CLUSTER_CORES
        || (cores > Limits.SMALL_FILES_CLUSTER_CORES && hasSmallFiles)) {
      draft.because("%,.0f cores are enough to overload a prefix.", cores);
    }
    return draft;
  }

  /** Returns true if the published runs are of the same client, on about as many cores. */
  boolean areComparable() {
    return client == Client.EMRFS
        && cores >= Limits.PUBLISHED_CORES / 2.0
        && cores <= Limits.PUBLISHED_CORES * 2.0;
  }

  /** Returns true if the advice is to put Penstock's engine under S3A. */
  boolean isForS3a() {
    return client == Client.S3A;
  }

  /** Returns the change that switches rate control on or off for this client. */
  Change change(JobSettings settings, boolean isOn) {
    return switch (client) {
      case EMRFS ->
          settings.change(Target.HADOOP, "fs.s3.aimd.enabled", "false", Boolean.toString(isOn));
      case PENSTOCK ->
          settings.runsPenstock()
              ? settings.change(Target.HADOOP, "penstock.rate.policy", "adaptive", "adaptive")
              : settings.plugin();
      case S3A ->
          isOn
              ? settings.plugin()
              : new Change(Target.OUTSIDE, "rate control", "none in S3A", "none");
    };
  }
}
