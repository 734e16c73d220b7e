/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.checkpoint;

import io.penstock.core.checkpoint.LogOffsets;
import io.penstock.core.checkpoint.LogOffsets.Backward;
import io.penstock.hadoop.checkpoint.AtomicOutput;
import io.penstock.hadoop.checkpoint.BatchNames;
import io.penstock.hadoop.checkpoint.CheckpointFiles;
import io.penstock.hadoop.checkpoint.LogPosition;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;

/**
 * Keeps a run from planning a batch that goes back in the log of a file source while another run
 * writes there.
 *
 * <p>A file source takes the newest entry of its log from one listing, and the files that it has
 * seen from another. If another run adds an entry between the two and no further file is there, the
 * source offers the entry before that one. The offsets of the next batch would then be behind those
 * of the batch before it, and no run could ever start from them. So such offsets are not written.
 * The next start reads the log anew.
 *
 * <p>If the log has lost the entry from which the batch goes back, the offsets are written, and
 * Spark stops at each start. Were they refused, each start would add an entry to the log until its
 * numbers fit again, and the files of these entries would never be read.
 */
final class PlannedOffsets {
  private final CheckpointFiles files;

  // The batch that this run has planned last; -1 if none. Guarded by this.
  private long batch = -1;
  private LogOffsets planned;

  PlannedOffsets(CheckpointFiles files) {
    this.files = files;
  }

  /**
   * Returns an output that writes nothing if the offsets go back.
   *
   * @param number the batch's number
   */
  AtomicOutput guarded(AtomicOutput output, Path file, long number) {
    return new Guarded(output, file, number);
  }

  /** Fails with the exception that Spark reports as another query with the same checkpoint. */
  private synchronized void require(LogOffsets offsets, Path file, long number) throws IOException {
    if (offsets.entries().isEmpty() || number == 0) {
      return;
    }
    Path before = new Path(file.getParent(), String.valueOf(number - 1));
    // Only the first batch of a run was planned after one of another run.
    Optional<LogOffsets> known = batch >= 0 && batch < number ? Optional.of(planned) : read(before);
    Optional<Backward> backward = known.flatMap(offsets::backwardFrom);
    if (backward.isPresent() && isInLog(file, backward.get())) {
      throw refusal(file, backward.get(), before);
    }
  }

  /** Returns true if the source's log still has the entry from which the batch goes back. */
  private boolean isInLog(Path file, Backward backward) throws IOException {
    Path logs = new Path(file.getParent().getParent(), BatchNames.SOURCES);
    Path log = new Path(logs, backward.source());
    // A compacted log has a later file instead.
    return new LogPosition(files, new Path(log, String.valueOf(backward.from() - 1))).isBehind();
  }

  private Optional<LogOffsets> read(Path file) throws IOException {
    try (InputStream input = files.open(file)) {
      return Optional.of(LogOffsets.of(input.readAllBytes()));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // Asynchronous progress tracking leaves such gaps.
    }
  }

  private FileAlreadyExistsException refusal(Path file, Backward backward, Path before) {
    String by = "";
    IOException unknown = null;
    try {
      by =
          files
              .writer(before)
              .map(name -> ": offsets/%s is by %s".formatted(before.getName(), name))
              .orElse("");
    } catch (IOException e) {
      unknown = e;
    }
    FileAlreadyExistsException refusal =
        new FileAlreadyExistsException(
            "%s is not written: its offsets would go back %s, and no run could start from such offsets. Another run wrote to this checkpoint while this run was starting%s. Stop one of the two runs; this run can be started again."
                .formatted(file, backward, by));
    if (unknown != null) {
      refusal.addSuppressed(unknown);
    }
    return refusal;
  }

  private synchronized void wrote(LogOffsets offsets, long number) {
    batch = number;
    planned = offsets;
  }

  /** Keeps a copy of the offsets until they are written. */
  private final class Guarded extends CheckedOutput {
    private final Path file;
    private final long number;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private LogOffsets offsets;

    Guarded(AtomicOutput output, Path file, long number) {
      super(output);
      this.file = file;
      this.number = number;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      super.write(bytes, offset, length);
      content.write(bytes, offset, length);
    }

    @Override
    void before() throws IOException {
      offsets = LogOffsets.of(content.toByteArray());
      require(offsets, file, number);
    }

    @Override
    void after() {
      wrote(offsets, number);
    }
  }
}
