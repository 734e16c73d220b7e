/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.checkpoints.state;

import io.penstock.checkpoints.log.LogText;
import io.penstock.checkpoints.place.Read;
import io.penstock.tables.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A RocksDB snapshot, {@code N.zip}, with the list of files that it needs outside the zip. */
public record RocksSnapshot(List<Needed> needed) {
  private static final int MAX_METADATA_BYTES = 16 << 20;
  private static final int MAX_ENTRIES = 10_000;

  /** A file that the snapshot refers to. */
  public record Needed(String name, long sizeBytes) {
    /** Returns the path of the file below the store. */
    public String path() {
      return (name.endsWith(".log") ? "logs/" : "SSTs/") + name;
    }
  }

  /** Parses the zip file of a snapshot. */
  public static Read<RocksSnapshot> parse(byte[] bytes) {
    if (bytes.length == 0) {
      return Read.bad("is empty");
    }
    // The zip is read from the start, like Spark does, and not by its directory at the end. A
    // decompression bomb then uses little memory.
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      int entries = 0;
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().equals("metadata")) {
          return metadata(zip.readNBytes(MAX_METADATA_BYTES));
        }
        boolean isHuge = zip.readNBytes(MAX_METADATA_BYTES).length == MAX_METADATA_BYTES;
        if (++entries > MAX_ENTRIES || isHuge) {
          return Read.unknown("it unpacks to more bytes than the metadata of any snapshot has");
        }
      }
      return Read.bad(entries == 0 ? "is not a zip file" : "has no metadata in it");
    } catch (IOException | IllegalArgumentException e) {
      return Read.bad("is not a complete zip file");
    }
  }

  private static Read<RocksSnapshot> metadata(byte[] bytes) {
    try {
      LogText text = LogText.of(bytes, 1);
      Map<String, Object> fields = Json.parseObject(String.join("\n", text.lines()));
      List<Needed> needed = new ArrayList<>();
      for (String[] names :
          new String[][] {{"sstFiles", "dfsSstFileName"}, {"logFiles", "dfsLogFileName"}}) {
        for (Object file : Json.array(fields.get(names[0]))) {
          Map<String, Object> info = Json.object(file).orElse(Map.of());
          Optional<String> name = Json.text(info.get(names[1]));
          Optional<Long> size = Json.whole(info.get("sizeBytes"));
          if (name.isEmpty() || size.isEmpty()) {
            return Read.bad("has metadata that names no files");
          }
          needed.add(new Needed(name.get(), size.get()));
        }
      }
      return Read.of(new RocksSnapshot(List.copyOf(needed)));
    } catch (IOException e) {
      return Read.bad("has metadata that cannot be read: it " + e.getMessage());
    }
  }
}
