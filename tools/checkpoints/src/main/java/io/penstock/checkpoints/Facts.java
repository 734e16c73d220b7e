/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * All that was seen of a checkpoint. Logs are read from their newest end; a file that is in the
 * layout and in none of these maps was not read.
 *
 * @param now when it was seen
 * @param chains for each store, what brings it to the version that Spark would load
 * @param snapshots of RocksDB, by path
 * @param sides Spark's checksums, by the path of the file they are of
 * @param checksums that were computed, by the file's path
 * @param sources the newest file of each source's log, when it is one of data files
 * @param sink the file sink's log, when one was looked at
 */
public record Facts(
    Instant now,
    Layout layout,
    Resume resume,
    Optional<Read<String>> queryId,
    NavigableMap<Long, Read<OffsetsEntry>> offsets,
    NavigableMap<Long, Read<CommitEntry>> commits,
    NavigableMap<Long, Read<OperatorInfo>> operators,
    NavigableMap<Long, Read<Writer>> writers,
    NavigableMap<StoreId, StateChain> chains,
    Map<String, Read<RocksSnapshot>> snapshots,
    Map<String, Read<SideFile>> sides,
    Map<String, Long> checksums,
    Map<String, Read<EntriesLog>> sources,
    Optional<SinkFacts> sink) {

  /**
   * The file sink's own log.
   *
   * @param where for messages, ending with {@code /}
   * @param newest the newest file's content
   */
  public record SinkFacts(String where, BatchLog log, Optional<Read<EntriesLog>> newest) {}

  /** Returns true if the query has state. */
  boolean isStateful() {
    return !layout.stores().isEmpty();
  }

  /** Returns true if names of state files have ids: checkpoint format 2. */
  boolean hasStateIds() {
    return commits.values().stream()
        .flatMap(read -> read.value().stream())
        .anyMatch(commit -> !commit.stateIds().isEmpty());
  }
}
