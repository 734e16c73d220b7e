/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.NativeReaders;
import io.penstock.core.stack.StoreStack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Native engines beside the plugin. They read S3 with clients of their own, which know only S3A's
 * settings; so Penstock's are repeated under those names. Comet can also read through Hadoop, which
 * keeps its requests under Penstock's rate control and in its counts. That is the user's choice,
 * because it takes Comet longer than its own client (bench/run comet).
 */
final class NativeEngines {
  private static final List<String> REPEATED =
      List.of("endpoint", "region", "path.style", "access.key", "secret.key", "session.token");
  private static final String S3A = "fs.s3a.";
  private static final Pattern OF_BUCKET =
      Pattern.compile(
          "penstock\\.bucket\\.(.+)\\.(" + String.join("|", REPEATED).replace(".", "\\.") + ")");

  private NativeEngines() {}

  /**
   * A setting under S3A's name.
   *
   * @param source the name under which the user set it
   */
  record Repeated(String name, String value, String source) {}

  /**
   * Returns what to set for the native engines among the plugins, by Hadoop's names. A name that
   * the user has set is never among them. Penstock reads these names too, so each has exactly the
   * user's value: a value that Penstock found out would count as the user's word.
   *
   * @param plugins the value of {@code spark.plugins}
   */
  static List<Repeated> settings(String plugins, Configuration hadoop, Settings settings) {
    List<Repeated> found = new ArrayList<>();
    if (!plugins.contains(NativeReaders.COMET) && !plugins.contains(NativeReaders.GLUTEN)) {
      return found;
    }
    Map<String, String> namesOfS3a = new LinkedHashMap<>();
    for (ConfigKey<?> key : StoreStack.keys(NativeEngines.class.getClassLoader())) {
      if (REPEATED.contains(key.name())) {
        String theirs =
            key.aliases().stream().filter(n -> n.startsWith(S3A)).findFirst().orElseThrow();
        namesOfS3a.put(key.name(), theirs);
        // A secret in a credential file stays there: no configuration is to show it.
        settings
            .sourceOf(key)
            .filter(source -> hadoop.get(source) != null)
            .ifPresent(source -> found.add(new Repeated(theirs, hadoop.get(source), source)));
      }
    }
    for (Map.Entry<String, String> entry : hadoop) {
      Matcher matcher = OF_BUCKET.matcher(entry.getKey());
      if (matcher.matches()) {
        String name = namesOfS3a.get(matcher.group(2)).substring(S3A.length());
        String source = entry.getKey();
        found.add(
            new Repeated(
                S3A + "bucket." + matcher.group(1) + "." + name, hadoop.get(source), source));
      }
    }
    found.removeIf(repeated -> settings.foreign(repeated.name()).isPresent());
    return found;
  }
}
