/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.log.WriterClaim;
import io.penstock.checkpoints.place.Read;
import io.penstock.tables.finding.Finding;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes a report as JSON. The names are a stable format: names may be added, but existing names
 * never change.
 */
public final class ReportJson {
  private final JsonGenerator json;

  private ReportJson(JsonGenerator json) {
    this.json = json;
  }

  public static String of(CheckpointReport report) {
    return written(json -> new ReportJson(json).report(report));
  }

  public static String of(SinkReport report) {
    return written(json -> new ReportJson(json).sinkReport(report));
  }

  /** Writes JSON. */
  private interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  private static String written(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
      content.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail", e);
    }
    return text.toString();
  }

  private void report(CheckpointReport report) throws IOException {
    CheckpointFacts facts = report.facts();
    json.writeStartObject();
    json.writeStringField("checkpoint", report.where());
    json.writeBooleanField("healthy", report.isHealthy());
    text("queryId", facts.queryId().flatMap(Read::value));
    number("lastPlannedBatch", facts.layout().offsets().newest());
    number("lastCommittedBatch", facts.layout().commits().newest());
    json.writeNumberField("nextBatch", facts.resume().batch());
    json.writeStringField("start", facts.resume().how().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("stateVersion", facts.resume().stateVersion());
    text("lastWrite", CheckpointSummary.lastWrite(facts).map(Object::toString));
    batch(facts);
    areas(facts);
    operators(facts);
    writers(facts);
    if (facts.sink().isPresent()) {
      json.writeObjectFieldStart("sink");
      json.writeStringField("log", facts.sink().get().where());
      number("newestBatch", facts.sink().get().log().newest());
      json.writeEndObject();
    }
    findings(report.findings());
    json.writeEndObject();
  }

  private void sinkReport(SinkReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("sinkLog", report.sink().where());
    json.writeBooleanField("healthy", report.isHealthy());
    number("newestBatch", report.sink().log().newest());
    json.writeNumberField("files", report.sink().log().files().size());
    findings(report.findings());
    json.writeEndObject();
  }

  private void batch(CheckpointFacts facts) throws IOException {
    Optional<CheckpointSummary.BatchFiles> batch = CheckpointSummary.newestBatch(facts);
    if (batch.isPresent()) {
      json.writeObjectFieldStart("newestBatch");
      json.writeNumberField("batch", batch.get().batch());
      json.writeNumberField("files", batch.get().count());
      json.writeNumberField("stateFiles", batch.get().state());
      json.writeNumberField("checksums", batch.get().checksums());
      json.writeNumberField("bytes", batch.get().sizeBytes());
      json.writeEndObject();
    }
  }

  private void areas(CheckpointFacts facts) throws IOException {
    json.writeArrayFieldStart("areas");
    for (CheckpointSummary.Area area : CheckpointSummary.areas(facts)) {
      json.writeStartObject();
      json.writeStringField("name", area.name());
      json.writeNumberField("files", area.files());
      json.writeNumberField("bytes", area.sizeBytes());
      number("newest", area.newest());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void operators(CheckpointFacts facts) throws IOException {
    json.writeArrayFieldStart("operators");
    for (CheckpointSummary.Operator operator : CheckpointSummary.operators(facts)) {
      json.writeStartObject();
      json.writeNumberField("operator", operator.number());
      json.writeStringField("name", operator.name());
      json.writeStringField("provider", operator.provider());
      json.writeNumberField("partitions", operator.partitions());
      json.writeNumberField("stores", operator.stores());
      json.writeNumberField("loadableStores", operator.loadable());
      json.writeNumberField("oldestVersion", operator.oldest());
      json.writeNumberField("newestVersion", operator.newest());
      json.writeNumberField("files", operator.files());
      json.writeNumberField("bytes", operator.sizeBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writers(CheckpointFacts facts) throws IOException {
    json.writeArrayFieldStart("writers");
    for (Read<WriterClaim> read : facts.writers().values()) {
      if (read.value().isPresent()) {
        WriterClaim writer = read.value().get();
        json.writeStartObject();
        json.writeStringField("epoch", writer.epoch());
        json.writeStringField("application", writer.application());
        json.writeStringField("host", writer.host());
        json.writeStringField("pid", writer.pid());
        json.writeStringField("run", writer.run());
        json.writeStringField("started", writer.started());
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  private void findings(List<Finding> findings) throws IOException {
    json.writeArrayFieldStart("findings");
    for (Finding finding : findings) {
      json.writeStartObject();
      json.writeStringField("severity", finding.severity().word());
      json.writeStringField("what", finding.what());
      json.writeStringField("where", finding.where());
      json.writeStringField("meaning", finding.meaning());
      json.writeStringField("advice", finding.advice());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void number(String name, Optional<Long> value) throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(name, value.get());
    } else {
      json.writeNullField(name);
    }
  }

  private void text(String name, Optional<String> value) throws IOException {
    if (value.isPresent()) {
      json.writeStringField(name, value.get());
    } else {
      json.writeNullField(name);
    }
  }
}
