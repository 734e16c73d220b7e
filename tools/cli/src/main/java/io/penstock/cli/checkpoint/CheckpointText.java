/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.checkpoint;

import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.Layout;
import io.penstock.checkpoints.facts.Resume;
import io.penstock.checkpoints.log.BatchLog;
import io.penstock.checkpoints.log.WriterClaim;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.report.CheckpointReport;
import io.penstock.checkpoints.report.CheckpointSummary;
import io.penstock.checkpoints.report.SinkReport;
import io.penstock.cli.print.FindingsText;
import io.penstock.cli.print.Wrapped;
import io.penstock.tables.finding.Finding;
import io.penstock.tables.finding.Severity;
import io.penstock.tables.format.AlignedRows;
import io.penstock.tables.format.Values;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Formats the report of a checkpoint for a terminal of 80 columns. */
final class CheckpointText {
  private CheckpointText() {}

  static String of(CheckpointReport report) {
    CheckpointFacts facts = report.facts();
    StringBuilder text = new StringBuilder();
    text.append(report.where()).append('\n');
    head(text, facts, report.findings().stream().anyMatch(CheckpointText::stops));
    text.append('\n').append(areas(facts));
    if (!facts.layout().stores().isEmpty()) {
      text.append('\n').append(operators(facts));
    }
    return text.append(findings(report.findings())).toString();
  }

  static String of(SinkReport report) {
    StringBuilder text = new StringBuilder(report.sink().where()).append('\n');
    line(text, "file sink", newest(report.sink().log()));
    line(text, "log files", Values.count(report.sink().log().files().size()));
    return text.append(findings(report.findings(), "the readers of the sink")).toString();
  }

  private static void head(StringBuilder text, CheckpointFacts facts, boolean isStopped) {
    Layout layout = facts.layout();
    line(text, "query", facts.queryId().flatMap(Read::value).orElse("unknown"));
    line(text, "planned", newest(layout.offsets()));
    line(text, "committed", newest(layout.commits()));
    line(text, "next start", isStopped ? "stops, see below" : next(facts.resume()));
    CheckpointSummary.newestBatch(facts)
        .ifPresent(batch -> line(text, "batch " + batch.batch(), wrote(batch)));
    CheckpointSummary.lastWrite(facts)
        .ifPresent(last -> line(text, "last write", age(last, facts.now())));
    facts
        .sink()
        .ifPresent(sink -> line(text, "file sink", newest(sink.log()) + " in " + sink.where()));
    for (Read<WriterClaim> writer : facts.writers().descendingMap().values()) {
      writer.value().ifPresent(value -> line(text, "written by", writer(value)));
    }
  }

  private static boolean stops(Finding finding) {
    return finding.severity() == Severity.STOPS;
  }

  private static void line(StringBuilder text, String name, String value) {
    String first = "  %-11s ".formatted(name);
    text.append(
        Wrapped.text(
            first, " ".repeat(Math.max(14, name.length() + 3)), FindingsText.visible(value)));
  }

  private static String newest(BatchLog log) {
    return log.newest().map(batch -> "batch " + batch).orElse("nothing");
  }

  private static String next(Resume resume) {
    String batch = "batch " + resume.batch();
    return switch (resume.how()) {
      case FRESH -> batch + ", the first";
      case NEXT -> batch;
      case AGAIN -> batch + " again: it is in flight, or was interrupted";
      case LAGGING, AHEAD -> batch + " again";
    };
  }

  private static String wrote(CheckpointSummary.BatchFiles batch) {
    String state = batch.state() == 0 ? "" : ", %,d of state".formatted(batch.state());
    String sums = batch.checksums() == 0 ? "" : ", %,d checksums".formatted(batch.checksums());
    return "%,d files, %s: offsets, commit%s%s"
        .formatted(batch.count(), Values.bytes(batch.sizeBytes()), state, sums);
  }

  private static String writer(WriterClaim writer) {
    return "epoch %s: %s on %s, pid %s, run %s, since %s"
        .formatted(
            writer.epoch(),
            writer.application(),
            writer.host(),
            writer.pid(),
            writer.run(),
            writer.started());
  }

  private static String age(Instant last, Instant now) {
    long seconds = Duration.between(last, now).toSeconds();
    String ago;
    if (seconds < 0) {
      ago = "in the future";
    } else if (seconds < 120) {
      ago = seconds + " s ago";
    } else if (seconds < 7200) {
      ago = seconds / 60 + " min ago";
    } else {
      ago = seconds < 172_800 ? seconds / 3600 + " h ago" : seconds / 86_400 + " days ago";
    }
    return ago + " (" + last.truncatedTo(java.time.temporal.ChronoUnit.SECONDS) + ")";
  }

  private static String areas(CheckpointFacts facts) {
    AlignedRows table = new AlignedRows("part", "files", "size", "newest");
    for (CheckpointSummary.Area area : CheckpointSummary.areas(facts)) {
      table.row(
          clipped(area.name(), 40),
          Values.count(area.files()),
          Values.bytes(area.sizeBytes()),
          area.newest().map(Object::toString).orElse(""));
    }
    List<CheckpointSummary.Area> areas = CheckpointSummary.areas(facts);
    table.rule();
    table.row(
        "",
        Values.count(areas.stream().mapToLong(CheckpointSummary.Area::files).sum()),
        Values.bytes(areas.stream().mapToLong(CheckpointSummary.Area::sizeBytes).sum()),
        "");
    return table.toString();
  }

  private static String operators(CheckpointFacts facts) {
    AlignedRows table =
        new AlignedRows("operator", "partitions", "stores", "newest", "loadable", "files", "size");
    for (CheckpointSummary.Operator operator : CheckpointSummary.operators(facts)) {
      table.row(
          clipped(operator.number() + " " + operator.name(), 20),
          Values.count(operator.partitions()),
          Values.count(operator.stores()),
          operator.oldest() == operator.newest()
              ? Long.toString(operator.newest())
              : operator.oldest() + "-" + operator.newest(),
          operator.loadable() == operator.stores() ? "all" : Values.count(operator.loadable()),
          Values.count(operator.files()),
          Values.bytes(operator.sizeBytes()));
    }
    String provider =
        CheckpointSummary.operators(facts).stream()
            .map(CheckpointSummary.Operator::provider)
            .findFirst()
            .orElse("");
    Optional<Long> base = Optional.of(facts.resume().stateVersion()).filter(v -> v > 0);
    return table
        + "  state of "
        + provider
        + base.map(version -> "; the next batch loads version " + version).orElse("")
        + "\n";
  }

  private static String clipped(String text, int length) {
    String shown = FindingsText.visible(text);
    return shown.length() <= length ? shown : shown.substring(0, length - 1) + "…";
  }

  static String findings(List<Finding> findings) {
    return findings(findings, "the query");
  }

  private static String findings(List<Finding> findings, String whom) {
    long harmful = findings.stream().filter(finding -> finding.severity().isHarmful()).count();
    long notices =
        findings.stream()
            .filter(finding -> finding.severity() == Severity.NOTICE)
            .map(Finding::what)
            .distinct()
            .count();
    String verdict =
        harmful == 0
            ? "Healthy: nothing here stops or corrupts " + whom
            : harmful == 1
                ? "1 finding stops or corrupts " + whom
                : Values.count(harmful) + " findings stop or corrupt " + whom;
    String more = notices == 0 ? "" : notices == 1 ? "; 1 notice" : "; " + notices + " notices";
    return "\n" + verdict + more + ".\n" + FindingsText.of(findings);
  }
}
