/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.log;

import io.penstock.checkpoints.place.Read;
import io.penstock.tables.json.Json;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The checksum that Spark keeps for a state file, in a separate file beside it (Spark 4.1 and
 * later).
 */
public record SideFile(long crc32c, long sizeBytes) {
  /** Parses one of Spark's checksum files. */
  public static Read<SideFile> parse(byte[] bytes) {
    try {
      Map<String, Object> fields = Json.parseObject(LogText.text(bytes));
      Optional<Long> value = Json.whole(fields.get("value"));
      Optional<Long> size = Json.whole(fields.get("mainFileSize"));
      if (value.isEmpty() || size.isEmpty()) {
        return Read.bad("has no value or no mainFileSize");
      }
      if (!Json.text(fields.get("algorithm")).orElse("").equals("CRC32C")) {
        return Read.unknown("its algorithm is not CRC32C");
      }
      // Spark writes the checksum as a signed 32-bit number.
      return Read.of(new SideFile(value.get() & 0xffffffffL, size.get()));
    } catch (IOException e) {
      return Read.bad("cannot be read: it " + e.getMessage());
    }
  }
}
