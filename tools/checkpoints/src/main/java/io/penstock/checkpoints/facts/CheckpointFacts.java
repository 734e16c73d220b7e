/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.facts;

import io.penstock.checkpoints.log.BatchLog;
import io.penstock.checkpoints.log.CommitEntry;
import io.penstock.checkpoints.log.EntriesLog;
import io.penstock.checkpoints.log.OffsetsEntry;
import io.penstock.checkpoints.log.SideFile;
import io.penstock.checkpoints.log.StoreId;
import io.penstock.checkpoints.log.WriterClaim;
import io.penstock.checkpoints.place.Read;
import io.penstock.checkpoints.state.OperatorInfo;
import io.penstock.checkpoints.state.RocksSnapshot;
import io.penstock.checkpoints.state.StateChain;
import io.penstock.core.checkpoint.LogOffsets;
import io.penstock.core.checkpoint.LogOffsets.Backward;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * All collected facts about a checkpoint. Logs are read from the newest file backwards. A file that
 * is in the layout but in none of these maps was not read.
 *
 * @param now the time at which the facts were collected
 * @param chains for each store, the files needed for the version that Spark would load
 * @param snapshots the RocksDB snapshots, by path
 * @param sides Spark's checksums, by the path of the file that each one belongs to
 * @param checksums the computed checksums, by the file's path
 * @param sources the newest file of each source's log, if the log lists data files
 * @param sink the file sink's log, if it was read
 */
public record CheckpointFacts(
    Instant now,
    Layout layout,
    Resume resume,
    Optional<Read<String>> queryId,
    NavigableMap<Long, Read<OffsetsEntry>> offsets,
    NavigableMap<Long, Read<CommitEntry>> commits,
    NavigableMap<Long, Read<OperatorInfo>> operators,
    NavigableMap<Long, Read<WriterClaim>> writers,
    NavigableMap<StoreId, StateChain> chains,
    Map<String, Read<RocksSnapshot>> snapshots,
    Map<String, Read<SideFile>> sides,
    Map<String, Long> checksums,
    Map<String, Read<EntriesLog>> sources,
    Optional<SinkFacts> sink) {
  /** Matches such as state/0/0/12_e8b1c6d2.changelog. */
  private static final Pattern WITH_ID =
      Pattern.compile("state/.*/[0-9]+_[^/.]+\\.(?:changelog|delta|snapshot|zip)");

  /**
   * The log of the file sink.
   *
   * @param where the location for messages, ending with {@code /}
   * @param newest the content of the newest file
   */
  public record SinkFacts(String where, BatchLog log, Optional<Read<EntriesLog>> newest) {}

  /**
   * Returns the file source that goes back in its log with the newest offsets; empty if none does,
   * if the batch was committed all the same, or if the newest two offsets were not read.
   */
  public Optional<Backward> backward() {
    Optional<Long> newest = layout.offsets().newest().filter(batch -> !layout.commits().has(batch));
    Optional<LogOffsets> last = newest.flatMap(this::logsOf);
    Optional<LogOffsets> before = newest.flatMap(batch -> logsOf(batch - 1));
    return last.isPresent() ? before.flatMap(last.get()::backwardFrom) : Optional.empty();
  }

  /**
   * Returns the newest batch before a hole in the offsets: all are there but the one just before
   * the newest, and nothing after that batch is committed. Spark does not start from offsets
   * without those before them (SPARK-38033). A query with asyncProgressTracking, which needs none,
   * has gaps elsewhere, too.
   */
  public Optional<Long> beforeHole() {
    List<BatchLog.Gap> gaps = layout.offsets().gaps();
    if (gaps.size() != 1 || isStateful()) {
      return Optional.empty();
    }
    long before = gaps.get(0).first() - 1;
    // A wider hole is of batches that may have run.
    boolean isAtEnd = layout.offsets().newest().orElseThrow() == before + 2;
    boolean isRegular = layout.offsets().has(before - 1) && layout.commits().gaps().isEmpty();
    return isAtEnd && isRegular && layout.commits().newest().orElse(-1L) == before
        ? Optional.of(before)
        : Optional.empty();
  }

  /**
   * Returns true if the offsets may be those of a query with asyncProgressTracking: they have holes
   * elsewhere than just before the newest, too, or are so few that nothing shows.
   */
  public boolean mayBeAsync() {
    return !isStateful()
        && (layout.offsets().gaps().size() > 1 || layout.offsets().files().size() < 3);
  }

  /** Returns true if the source's log has lost the entry from which the batch goes back. */
  public boolean hasLost(Backward backward) {
    return newestEntry(backward.source()) < backward.from();
  }

  /** Returns the newest entry of a file source's log; -1 if it has none. */
  public long newestEntry(String source) {
    return Optional.ofNullable(layout.sources().get(source)).flatMap(BatchLog::newest).orElse(-1L);
  }

  private Optional<LogOffsets> logsOf(long batch) {
    return Optional.ofNullable(offsets.get(batch)).flatMap(Read::value).map(OffsetsEntry::logs);
  }

  /** Returns true if the query has state stores. */
  public boolean isStateful() {
    return !layout.stores().isEmpty();
  }

  /** Returns true if the names of state files contain unique ids, as in checkpoint format 2. */
  public boolean hasStateIds() {
    return commits.values().stream()
            .flatMap(read -> read.value().stream())
            .anyMatch(commit -> !commit.stateIds().isEmpty())
        || layout.all().stream().anyMatch(file -> WITH_ID.matcher(file.path()).matches());
  }
}
