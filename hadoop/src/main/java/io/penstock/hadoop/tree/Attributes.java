/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.store.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;

/** Returns what an object has beside its content, under the names that S3A gives it. */
public final class Attributes {
  private static final String HEADER = "header.";

  private Attributes() {}

  /** Returns the values by name. */
  public static Map<String, byte[]> of(ObjectMeta object) {
    Map<String, byte[]> found = new TreeMap<>();
    object.user().values().forEach((name, value) -> found.put(HEADER + name, bytes(value)));
    found.put(HEADER + "Content-Length", bytes(Long.toString(object.sizeBytes())));
    found.put(HEADER + "ETag", bytes(object.etag()));
    found.put(
        HEADER + "Last-Modified",
        bytes(
            DateTimeFormatter.RFC_1123_DATE_TIME.format(
                object.lastModified().atOffset(ZoneOffset.UTC))));
    return found;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
