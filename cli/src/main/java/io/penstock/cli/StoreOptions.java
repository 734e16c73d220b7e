/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that say how a bucket is reached. */
final class StoreOptions {
  private static final String OF_SPARK = "spark.hadoop.";

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description =
          "The S3 that has the bucket, when it is not AWS. Credentials come from the usual places"
              + " (AWS_ACCESS_KEY_ID, profiles, …).")
  private String endpoint;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description =
          "A setting, as Spark has it (spark.hadoop.fs.s3a.…, penstock.…); may be repeated. See"
              + " penstock settings.")
  private List<String> conf = List.of();

  /**
   * Opens a bucket; makes no request.
   *
   * @throws IllegalArgumentException when a setting makes no sense
   */
  StoreStack open(String bucket) throws IOException {
    return StoreStack.open(bucket, settings(), StoreOptions.class.getClassLoader());
  }

  Settings settings() {
    Map<String, String> values = new HashMap<>();
    if (endpoint != null && !endpoint.equals("aws")) {
      values.put("penstock.endpoint", endpoint);
      // Few stores beside AWS have a host name for each bucket.
      values.put("penstock.path.style", "true");
    }
    for (String setting : conf) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("--conf=" + setting + " is not KEY=VALUE");
      }
      String key = setting.substring(0, equals);
      values.put(
          key.startsWith(OF_SPARK) ? key.substring(OF_SPARK.length()) : key,
          setting.substring(equals + 1));
    }
    return Settings.of(values);
  }
}
