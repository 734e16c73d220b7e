/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import io.penstock.checkpoints.place.Read;
import io.penstock.tables.json.Json;
import java.io.IOException;

/**
 * A file of a file source's or the file sink's log. It has one line of JSON for each data file.
 *
 * @param entries the number of these lines
 */
public record EntriesLog(long entries) {
  /** Parses a file of a log that lists data files. */
  public static Read<EntriesLog> parse(byte[] bytes) {
    try {
      LogText text = LogText.of(bytes, 1);
      for (String line : text.lines()) {
        Json.parseObject(line);
      }
      return Read.of(new EntriesLog(text.lines().size()));
    } catch (LogText.NewerException e) {
      return Read.unknown("it " + e.getMessage());
    } catch (IOException e) {
      return Read.bad("cannot be read: it " + e.getMessage());
    }
  }
}
