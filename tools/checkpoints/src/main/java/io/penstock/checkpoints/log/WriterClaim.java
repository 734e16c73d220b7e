/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import io.penstock.checkpoints.place.Read;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.util.Map;

/** A run of a query that claimed the checkpoint, as recorded by Penstock's checkpoint manager. */
public record WriterClaim(
    String epoch, String application, String host, String pid, String run, String started) {
  /** Parses the file that a run of Penstock wrote when it claimed the checkpoint. */
  public static Read<WriterClaim> parse(byte[] bytes) {
    try {
      Map<String, Object> fields = Json.parseObject(LogText.text(bytes));
      return Read.of(
          new WriterClaim(
              word(fields, "epoch"),
              word(fields, "application"),
              word(fields, "host"),
              word(fields, "pid"),
              word(fields, "run"),
              word(fields, "started")));
    } catch (IOException e) {
      return Read.bad("cannot be read: it " + e.getMessage());
    }
  }

  private static String word(Map<String, Object> fields, String name) {
    Object value = fields.get(name);
    return value instanceof String || value instanceof Number ? value.toString() : "?";
  }
}
