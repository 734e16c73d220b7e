/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import io.penstock.checkpoints.place.Read;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A file of the commit log. It marks its batch as committed.
 *
 * @param version 1; 2 with the ids of state files; 3 with the state of named sinks (Spark 4.2)
 * @param hasJson true if the file has more than the version line; Spark also accepts a file without
 *     more, and reads zeros
 * @param hasWatermark true if the next batch has a watermark, as queries with state mostly have
 */
public record CommitEntry(
    int version, boolean hasJson, Map<String, Object> stateIds, boolean hasWatermark) {
  private static final int NEWEST_VERSION = 3;

  /** Parses a file of the log of commits. */
  public static Read<CommitEntry> parse(byte[] bytes) {
    try {
      LogText text = LogText.of(bytes, NEWEST_VERSION);
      boolean hasJson = !text.lines().isEmpty() && !text.lines().get(0).isBlank();
      if (!hasJson && text.version() > 1) {
        return Read.bad("ends after its first line");
      }
      Map<String, Object> fields =
          hasJson ? Json.parseObject(text.lines().get(0)) : Map.<String, Object>of();
      Map<String, Object> ids = Json.object(fields.get("stateUniqueIds")).orElse(Map.of());
      boolean hasWatermark =
          fields.get("nextBatchWatermarkMs") instanceof Number millis && millis.longValue() > 0;
      return Read.of(new CommitEntry(text.version(), hasJson, ids, hasWatermark));
    } catch (LogText.NewerException e) {
      return Read.unknown("it " + e.getMessage());
    } catch (IOException e) {
      return Read.bad("cannot be read: it " + e.getMessage());
    }
  }

  /** Returns the number of partitions of each stateful operator whose files have unique ids. */
  public Map<Long, Long> partitions() {
    Map<Long, Long> partitions = new TreeMap<>();
    stateIds.forEach(
        (operator, ids) ->
            Numbers.batch(operator)
                .ifPresent(number -> partitions.put(number, (long) Json.array(ids).size())));
    return partitions;
  }

  /**
   * Returns the unique ids in the names of the files that this batch wrote for a partition's state.
   * Returns an empty set when these names have no ids.
   */
  public Set<String> idsOf(StoreId store) {
    List<?> partitions = Json.array(stateIds.get(Long.toString(store.operator())));
    if (store.partition() >= partitions.size()) {
      return Set.of();
    }
    Set<String> ids = new HashSet<>();
    for (Object id : Json.array(partitions.get((int) store.partition()))) {
      Json.text(id).ifPresent(ids::add);
    }
    return ids;
  }
}
