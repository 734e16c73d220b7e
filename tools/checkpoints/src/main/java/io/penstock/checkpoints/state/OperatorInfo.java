/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.state;

import io.penstock.checkpoints.log.LogText;
import io.penstock.checkpoints.place.Read;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Spark's metadata about a stateful operator.
 *
 * @param partitions the number of partitions of each store, by the store's name
 */
public record OperatorInfo(String name, Map<String, Long> partitions) {
  private static final int NEWEST_VERSION = 2;

  /** Parses the metadata of a stateful operator. */
  public static Read<OperatorInfo> parse(byte[] bytes) {
    try {
      LogText text = LogText.of(bytes, NEWEST_VERSION);
      Map<String, Object> fields = Json.parseObject(String.join("\n", text.lines()));
      Map<String, Long> partitions = new TreeMap<>();
      for (Object store : Json.array(fields.get("stateStoreInfo"))) {
        Map<String, Object> info = Json.object(store).orElse(Map.of());
        Json.text(info.get("storeName"))
            .ifPresent(
                name ->
                    Json.whole(info.get("numPartitions"))
                        .ifPresent(count -> partitions.put(name, count)));
      }
      String name =
          Json.object(fields.get("operatorInfo"))
              .flatMap(info -> Json.text(info.get("operatorName")))
              .orElse("?");
      return Read.of(new OperatorInfo(name, partitions));
    } catch (IOException e) {
      return Read.bad("cannot be read: it " + e.getMessage());
    }
  }
}
