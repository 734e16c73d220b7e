/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice.rules.job;

import io.penstock.analyze.advice.Advice;
import io.penstock.analyze.advice.Amounts;
import io.penstock.analyze.advice.Client;
import io.penstock.analyze.advice.Confidence;
import io.penstock.analyze.advice.Draft;
import io.penstock.analyze.advice.Evidence;
import io.penstock.analyze.advice.JobSettings;
import io.penstock.analyze.advice.LogKind;
import io.penstock.analyze.advice.Prices;
import io.penstock.analyze.advice.Rule;
import io.penstock.analyze.advice.Target;
import io.penstock.analyze.advice.rules.facts.Limits;
import io.penstock.analyze.advice.whatif.CheckpointCost;
import io.penstock.analyze.advice.whatif.Efs;
import io.penstock.tables.Label;
import io.penstock.tables.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Rule R14: finds streams that wait for their checkpoint in every batch. */
public final class CheckpointStore extends Rule {
  private static final String LOCATION = "spark.sql.streaming.checkpointLocation";
  private static final String PROVIDER = "spark.sql.streaming.stateStore.providerClass";
  private static final String ROCKSDB =
      "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider";
  private static final String CHANGELOG =
      "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled";

  /**
   * The query whose checkpoint takes most of its time.
   *
   * @param logMs wall-clock time of the write-ahead log and the commit log
   * @param stateMs time of the state stores, summed over tasks
   * @param periodSeconds average time from the start of a batch to the start of the next
   */
  record Facts(
      String name,
      long batches,
      double triggerMs,
      double logMs,
      double stateMs,
      double periodSeconds,
      long writes,
      long reads,
      long bytes) {
    static Optional<Facts> of(Evidence evidence) {
      Table batches = evidence.table("batches");
      Table requests = evidence.table("checkpoints");
      Facts worst = null;
      for (int row = 0; row < batches.rows().size(); row++) {
        long count = batches.count(row, "batches");
        Facts facts =
            new Facts(
                batches.text(row, batches.text(row, "name").isEmpty() ? "query_id" : "name"),
                count,
                batches.number(row, "trigger_ms"),
                batches.number(row, "wal_ms") + batches.number(row, "commit_ms"),
                batches.number(row, "state_commit_ms"),
                period(batches, row, count),
                requests.count(0, "writes"),
                requests.count(0, "reads"),
                requests.count(0, "bytes"));
        boolean isWorse =
            worst == null
                || (facts.isSlow() && !worst.isSlow())
                || (facts.isSlow() == worst.isSlow() && facts.percent() > worst.percent());
        if (isWorse) {
          worst = facts;
        }
      }
      return Optional.ofNullable(worst);
    }

    private static double period(Table batches, int row, long count) {
      return batches.at(row, "first") instanceof Instant first
              && batches.at(row, "last") instanceof Instant last
              && count > 1
          ? Duration.between(first, last).toMillis() / 1000.0 / (count - 1)
          : 0;
    }

    /** Returns true if the logs take much of each batch, and not only because it is short. */
    boolean isSlow() {
      return percent() >= Limits.CHECKPOINT_PERCENT && logMs / batches >= Limits.CHECKPOINT_MS_MIN;
    }

    double percent() {
      return triggerMs == 0 ? 0 : 100 * logMs / triggerMs;
    }
  }

  public CheckpointStore() {
    super(
        new Label("R14", "checkpoints", "where the checkpoint is stored"),
        "Spark, Structured Streaming guide (SPARK-43421); Amazon EFS performance and prices",
        List.of("batches", "checkpoints"));
  }

  @Override
  public Optional<Advice> judge(Evidence evidence) {
    Optional<Facts> facts = Facts.of(evidence);
    if (facts.isEmpty() || facts.get().batches() < Limits.BATCHES_MIN) {
      return lacking(
          LogKind.EVENT_LOG,
          "These logs have fewer than ten micro-batches. The Spark event log of a streaming"
              + " query has them.");
    }
    return judge(facts.get(), evidence.settings(), evidence.options().prices());
  }

  Optional<Advice> judge(Facts facts, JobSettings settings, Prices prices) {
    Optional<String> elsewhere =
        settings
            .spark(LOCATION)
            .filter(place -> place.contains(":") && !place.startsWith("s3"))
            // A query may have another place than this default.
            .filter(place -> facts.writes() == 0);
    boolean isDue = facts.isSlow() && elsewhere.isEmpty();
    boolean isInS3 = facts.writes() > 0 || settings.spark(LOCATION).orElse("").startsWith("s3");
    if (isDue && !isInS3) {
      return lacking(
          LogKind.ACCESS_LOG,
          "The query %s spent %.0f %% of the time of %,d batches on writing its checkpoint's logs"
              + " (offsets and commits): %s per batch. The logs that you gave do not show whether"
              + " the checkpoint is in S3. An S3 server access log of the checkpoint's bucket shows"
              + " it.",
          facts.name(),
          facts.percent(),
          facts.batches(),
          Amounts.duration(facts.logMs() / facts.batches()));
    }
    Draft draft = doIf(isDue);
    draft.because(
        "The query %s spent %.0f %% of the time of %,d batches on writing its checkpoint's logs"
            + " (offsets and commits): %s per batch.",
        facts.name(),
        facts.percent(),
        facts.batches(),
        Amounts.duration(facts.logMs() / facts.batches()));
    elsewhere.ifPresent(place -> draft.because("The checkpoint is in %s, not in S3.", place));
    if (!isDue) {
      return draft.leave(Confidence.MEDIUM);
    }
    cost(draft, facts, prices);
    if (settings.client() == Client.PENSTOCK && !settings.runsPenstock()) {
      draft.change(settings.plugin());
    } else if (!settings.runsPenstock()) {
      draft.change(
          Target.OUTSIDE,
          "checkpoint manager",
          "renames each file, which on S3 is a copy and a delete",
          (settings.isAtLeast(3, 5) ? "" : "with Spark 3.5 or later, ")
              + "spark.plugins=io.penstock.spark.PenstockPlugin, which sends one conditional PUT"
              + " per file");
    }
    if (facts.stateMs() > 0) {
      state(draft, settings);
    }
    return draft
        .change(
            Target.OUTSIDE,
            "checkpoint location",
            settings.spark(LOCATION).orElse("set in the query"),
            "if the other changes are not enough: EFS in elastic mode; if EFS is not enough either:"
                + " HDFS or EBS")
        .effect(
            Confidence.MEDIUM,
            facts.percent() * Limits.CHECKPOINT_GAIN,
            "in a published job, a commit of the checkpoint took 8 to 10 s on S3 and 2 to 4 s on"
                + " EFS; S3 is slower because it renames by copying, and because its latency is"
                + " higher")
        .risk(
            "an existing checkpoint cannot change to another state store provider: start a new"
                + " checkpoint. EFS in bursting mode needs %,.0f GiB of stored data for each MiB/s"
                + " (%s). BurstCreditBalance in CloudWatch shows the credits that are left. A large"
                + " file that is stored only to raise the throughput costs more than elastic mode.",
            Efs.gibFor(1), bursting())
        .verify("share of walCommit and commitOffsets in triggerExecution")
        .done();
  }

  /** Returns what file systems of three sizes give in bursting mode. */
  private static String bursting() {
    List<String> sizes = new ArrayList<>();
    for (double gib : new double[] {100, 1024, 10_240}) {
      Efs efs = new Efs(gib);
      sizes.add(
          String.format(
              Locale.ROOT,
              "%,.0f GiB give %,.1f MiB/s, and in bursts %,.0f MiB/s",
              gib,
              efs.baseline(),
              efs.burst()));
    }
    return String.join("; ", sizes);
  }

  private static void state(Draft draft, JobSettings settings) {
    boolean hasRocksDb = settings.spark(PROVIDER).orElse("").contains("RocksDB");
    if (!hasRocksDb && settings.isAtLeast(3, 2)) {
      draft.change(settings.change(Target.SPARK, PROVIDER, "HDFS-backed", ROCKSDB));
    }
    if (!settings.isOn(CHANGELOG) && settings.isAtLeast(3, 5)) {
      draft.change(settings.change(Target.SPARK, CHANGELOG, "false", "true"));
    }
  }

  private static void cost(Draft draft, Facts facts, Prices prices) {
    if (facts.periodSeconds() <= 0 || facts.writes() == 0) {
      draft.because(
          "To show the cost, this rule needs the S3 server access log of the checkpoint's bucket.");
      return;
    }
    CheckpointCost cost =
        new CheckpointCost(
            CheckpointCost.SECONDS_A_MONTH / facts.periodSeconds(),
            (double) facts.writes() / facts.batches(),
            (double) facts.reads() / facts.batches(),
            (double) facts.bytes() / facts.batches(),
            0);
    draft.because(
        "With %,.1f writes a batch, the requests cost $%,.2f a month on S3. EFS in elastic mode"
            + " would cost $%,.2f a month plus storage. For %.2f MiB/s, EFS in bursting mode must"
            + " store %,.0f GiB, which costs $%,.0f a month.",
        cost.writesABatch(),
        cost.onS3(prices),
        cost.onElasticEfs(prices),
        cost.mibASecond(),
        Efs.gibFor(cost.mibASecond()),
        Efs.gibFor(cost.mibASecond()) * prices.efsStored());
  }
}
