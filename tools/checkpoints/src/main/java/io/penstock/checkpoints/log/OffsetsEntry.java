/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import io.penstock.checkpoints.place.Read;
import io.penstock.core.checkpoint.LogOffsets;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of the offset log. It says which data a batch reads.
 *
 * @param version 1, or 2 with named sources (Spark 4.2)
 * @param conf the settings that are fixed for the lifetime of the query
 * @param sources the number of sources that have a line
 * @param logs how far the batch reads the logs of file sources
 */
public record OffsetsEntry(int version, Map<String, Object> conf, int sources, LogOffsets logs) {
  private static final int NEWEST_VERSION = 2;

  /** Parses a file of the log of offsets. */
  public static Read<OffsetsEntry> parse(byte[] bytes) {
    try {
      LogText text = LogText.of(bytes, NEWEST_VERSION);
      if (text.lines().isEmpty()) {
        return Read.bad("ends after its first line");
      }
      String metadata = text.lines().get(0).strip();
      Map<String, Object> fields = Map.of();
      if (!metadata.isEmpty()) {
        fields = Json.parseObject(metadata);
      } else if (text.version() > 1) {
        return Read.bad("has no metadata in its second line");
      }
      List<String> offsets = text.lines().subList(1, text.lines().size());
      if (offsets.isEmpty()) {
        return Read.bad("ends before the offset of its first source");
      }
      for (String offset : offsets) {
        check(text.version(), offset);
      }
      Map<String, Object> conf = Json.object(fields.get("conf")).orElse(Map.of());
      return Read.of(new OffsetsEntry(text.version(), conf, offsets.size(), LogOffsets.of(bytes)));
    } catch (LogText.NewerException e) {
      return Read.unknown("it " + e.getMessage());
    } catch (IOException e) {
      return Read.bad("cannot be read: it " + e.getMessage());
    }
  }

  private static void check(int version, String line) throws IOException {
    String offset = line;
    if (version > 1) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("has a line without a source's name");
      }
      offset = line.substring(colon + 1);
    }
    // A source's offset may be any text. A text that starts like JSON but is not valid JSON was
    // truncated.
    if (offset.startsWith("{") || offset.startsWith("[")) {
      try {
        Json.parse(offset);
      } catch (IOException e) {
        throw new IOException("has an offset that was cut short or overwritten", e);
      }
    }
  }

  Optional<String> setting(String name) {
    return Json.text(conf.get(name));
  }
}
