/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import io.penstock.checkpoints.place.Read;
import io.penstock.tables.json.Json;
import java.io.IOException;

/** Reads the file {@code metadata}, which contains the query's id. The id never changes. */
public final class QueryId {
  private QueryId() {}

  /** Parses the file with the query's id. */
  public static Read<String> parse(byte[] bytes) {
    try {
      return Json.text(Json.parseObject(LogText.text(bytes)).get("id"))
          .map(Read::of)
          .orElseGet(() -> Read.bad("has no id in it"));
    } catch (IOException e) {
      return Read.bad("cannot be read: it " + e.getMessage());
    }
  }
}
