/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.config.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Reads what a user has set in a Hadoop configuration, leaving out Hadoop's own defaults. */
public final class HadoopSettings {
  private static final List<String> FAMILIES = List.of("penstock.", "fs.s3a.", "fs.s3.", "fs.s3n.");

  private HadoopSettings() {}

  public static Settings of(Configuration conf) {
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, String> entry : conf) {
      String name = entry.getKey();
      if (FAMILIES.stream().anyMatch(name::startsWith) && !isDefault(conf, name)) {
        values.put(name, conf.get(name));
      }
    }
    secrets(conf, values);
    return Settings.of(values);
  }

  /**
   * core-default.xml sets most of S3A's keys; such a value says nothing about what the user wants.
   */
  private static boolean isDefault(Configuration conf, String name) {
    String[] sources = conf.getPropertySources(name);
    return sources != null
        && sources.length > 0
        && sources[sources.length - 1].endsWith("-default.xml");
  }

  /** Secrets may lie in a credential file (hadoop.security.credential.provider.path) instead. */
  private static void secrets(Configuration conf, Map<String, String> values) {
    if (conf.get("hadoop.security.credential.provider.path", "").isEmpty()) {
      return;
    }
    for (String name :
        List.of(
            "penstock.access.key",
            "penstock.secret.key",
            "penstock.session.token",
            "fs.s3a.access.key",
            "fs.s3a.secret.key",
            "fs.s3a.session.token")) {
      try {
        char[] secret = conf.getPassword(name);
        if (secret != null && secret.length > 0) {
          values.put(name, new String(secret));
        }
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(
            "cannot read " + name + " from hadoop.security.credential.provider.path", e);
      }
    }
  }
}
