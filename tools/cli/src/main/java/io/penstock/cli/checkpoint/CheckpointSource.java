/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.checkpoint;

import io.penstock.checkpoints.facts.CheckOptions;
import io.penstock.checkpoints.facts.CheckpointFacts;
import io.penstock.checkpoints.facts.CheckpointReader;
import io.penstock.checkpoints.place.CheckpointPlace;
import io.penstock.checkpoints.place.ProgressListener;
import io.penstock.checkpoints.report.CheckpointReport;
import io.penstock.cli.store.StoreOptions;
import io.penstock.cli.store.ThisProcess;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select a checkpoint and the way in which it is read. */
final class CheckpointSource {
  private static final String NONE = "none";

  @Parameters(
      paramLabel = "PATH",
      description =
          "The query's checkpointLocation: s3://BUCKET/PREFIX, s3a://…, file:/… or a directory.")
  private String path;

  @Option(
      names = "--sink",
      paramLabel = "PATH",
      description =
          "Directory that the query's file sink writes to; its log is checked too. Use none"
              + " for a query without a file sink.")
  private String sink;

  @Mixin private StoreOptions store;

  String path() {
    return path;
  }

  boolean hasNoFileSink() {
    return NONE.equals(sink);
  }

  /**
   * Opens the selected paths without sending a request.
   *
   * @throws IllegalArgumentException when a path names nothing that can be read
   */
  Opened open() throws IOException {
    Optional<OpenedPlace> sinkPlace =
        sink == null || hasNoFileSink()
            ? Optional.empty()
            : Optional.of(OpenedPlace.open(sink, store));
    return new Opened(OpenedPlace.open(path, store), sinkPlace);
  }

  /** An opened checkpoint, and the directory of its query's file sink. */
  record Opened(OpenedPlace place, Optional<OpenedPlace> sink) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      place.close();
      if (sink.isPresent()) {
        sink.get().close();
      }
    }
  }

  /**
   * Reads a checkpoint and reports its state.
   *
   * @throws IllegalArgumentException when there is no checkpoint at this place
   */
  static CheckpointReport read(Opened opened, int newest, boolean isDeep, ProgressListener progress)
      throws IOException {
    CheckpointPlace files = opened.place().files();
    CheckpointFacts facts = reader(opened, newest, isDeep, progress).read(ThisProcess.time().now());
    if (!facts.layout().isCheckpoint()) {
      throw new IllegalArgumentException(nothing(files.where(), facts));
    }
    return CheckpointReport.of(files.where(), facts);
  }

  /** Returns what reads the opened checkpoint. */
  static CheckpointReader reader(
      Opened opened, int newest, boolean isDeep, ProgressListener progress) {
    CheckOptions options = new CheckOptions(newest, isDeep, opened.sink().map(OpenedPlace::files));
    return new CheckpointReader(opened.place().files(), opened.place().pool(), options, progress);
  }

  private static String nothing(String where, CheckpointFacts facts) {
    if (facts.layout().all().isEmpty()) {
      return "nothing is at " + where;
    }
    return "no checkpoint is at "
        + where
        + ": it has no metadata, offsets or commits"
        + CheckpointReader.nearby(facts.layout())
            .map(below -> ". Is it " + below + "/ below it?")
            .orElse("");
  }
}
