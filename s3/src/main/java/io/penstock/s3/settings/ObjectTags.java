/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.core.config.ConfigException;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The tags of written objects. */
final class ObjectTags {
  // S3's limits (object tagging).
  private static final int TAGS_MAX = 10;
  private static final int KEY_LENGTH_MAX = 128;
  private static final int VALUE_LENGTH_MAX = 256;

  private ObjectTags() {}

  /** Returns the value of the header {@code x-amz-tagging} for tags written as {@code k=v,l=w}. */
  static String header(String text) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? "" : pair.substring(0, equals).strip();
      String value = equals < 0 ? "" : pair.substring(equals + 1).strip();
      if (key.isEmpty() || key.length() > KEY_LENGTH_MAX || value.length() > VALUE_LENGTH_MAX) {
        throw new ConfigException(
            "penstock.tags: '%s' is not KEY=VALUE with at most %d and %d characters."
                .formatted(pair, KEY_LENGTH_MAX, VALUE_LENGTH_MAX));
      }
      if (tags.put(key, value) != null) {
        throw new ConfigException("penstock.tags: the key '%s' stands twice.".formatted(key));
      }
    }
    if (tags.size() > TAGS_MAX) {
      throw new ConfigException(
          "penstock.tags: an object has at most %d tags, not %d.".formatted(TAGS_MAX, tags.size()));
    }
    return tags.entrySet().stream()
        .map(tag -> encoded(tag.getKey()) + "=" + encoded(tag.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
