/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints;

import io.penstock.tables.json.Json;
import java.io.IOException;

/** Reads the file {@code metadata}, which contains the query's id. The id never changes. */
final class QueryId {
  private QueryId() {}

  static Read<String> parse(byte[] bytes) {
    try {
      return Json.text(Json.parseObject(LogText.text(bytes)).get("id"))
          .map(Read::of)
          .orElseGet(() -> Read.bad("has no id in it"));
    } catch (IOException e) {
      return Read.bad("cannot be read: it " + e.getMessage());
    }
  }
}
