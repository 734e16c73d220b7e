/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.facts;

import io.penstock.checkpoints.facts.CheckpointFacts.SinkFacts;
import io.penstock.checkpoints.log.BatchLog;
import io.penstock.checkpoints.log.EntriesLog;
import io.penstock.checkpoints.place.CheckpointPlace;
import io.penstock.checkpoints.place.FileReader;
import io.penstock.checkpoints.place.ProgressListener;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.place.StoredFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Reads the log that the file sink keeps in its directory. */
public final class SinkLogReader {
  /** The directory of the log, below the sink's directory. */
  public static final String LOG = "_spark_metadata/";

  private SinkLogReader() {}

  /** Reads the log. The result has no files when there is no log. */
  public static SinkFacts read(CheckpointPlace sink, Executor pool, ProgressListener progress)
      throws IOException {
    List<StoredFile> listed = sink.list(LOG, n -> progress.at("files of the sink listed", n, 0));
    BatchLog log = LayoutReader.readLog(listed);
    String where = sink.where().endsWith("/") ? sink.where() + LOG : sink.where() + "/" + LOG;
    if (log.newest().isEmpty()) {
      return new SinkFacts(where, log, Optional.empty());
    }
    FileReader reader = new FileReader(sink, pool, progress);
    Read<EntriesLog> newest = reader.read(log.files().lastEntry().getValue(), EntriesLog::parse);
    return new SinkFacts(where, log, Optional.of(newest));
  }
}
