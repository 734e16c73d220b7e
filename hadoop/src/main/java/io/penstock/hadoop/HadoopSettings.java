/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.HadoopKeys;
import io.penstock.core.stack.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ProviderUtils;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;

/** Reads the settings that a user made in a Hadoop configuration, without Hadoop's own defaults. */
public final class HadoopSettings {
  private static final List<String> FAMILIES = List.of("penstock.", "fs.s3a.", "fs.s3.", "fs.s3n.");

  /** Java's key stores change names to lower case. */
  private static final List<String> WITH_CAPITALS =
      List.of(
          "fs.s3.awsAccessKeyId",
          "fs.s3.awsSecretAccessKey",
          "fs.s3.serverSideEncryption.kms.keyId");

  private static final String PROVIDERS = "fs.s3a.aws.credentials.provider";

  private static final Configuration DEFAULTS = defaults();

  private HadoopSettings() {}

  private static Configuration defaults() {
    Configuration defaults = new Configuration(false);
    defaults.addResource("core-default.xml");
    return defaults;
  }

  /**
   * Returns what the user has set under {@code penstock.}, {@code fs.s3a.}, {@code fs.s3.} and
   * {@code fs.s3n.}, not tied to a bucket. Secrets in credential files come before plain values.
   *
   * @throws UncheckedIOException when a credential file cannot be read
   */
  public static Settings of(Configuration conf) {
    Map<String, String> values = new HashMap<>();
    boolean copied = isCopied(conf);
    for (Map.Entry<String, String> entry : conf) {
      String name = entry.getKey();
      if (FAMILIES.stream().anyMatch(name::startsWith) && !isDefault(conf, name, copied)) {
        values.put(name, conf.get(name));
      }
    }
    secrets(conf, values);
    return Settings.of(values).withOrigin(bucket -> ofBucket(conf, bucket));
  }

  /**
   * Returns what the configuration sets, as {@link #of(Configuration)} does; if it sets nothing,
   * the settings of the application. Libraries and native engines on executors make such a
   * configuration, and Hadoop's cache keeps the file system that they open for all tasks of the
   * process.
   *
   * @throws UncheckedIOException when a credential file cannot be read
   */
  static Settings of(Configuration conf, Engine engine) {
    Settings settings = of(conf);
    return settings.hasOnly(HadoopKeys.CLASSES)
        ? engine.applicationSettings().orElse(settings)
        : settings;
  }

  /** Returns a copy in which the settings of the bucket have their general names, as S3A has it. */
  private static Configuration ofBucket(Configuration conf, String bucket) {
    Configuration own = new Configuration(conf);
    String prefix = "fs.s3a.bucket." + bucket + ".";
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith(prefix)) {
        String name = entry.getKey().substring(prefix.length());
        if (!name.equals("impl") && !name.startsWith("bucket.")) {
          own.set("fs.s3a." + name, conf.getRaw(entry.getKey()), entry.getKey());
        }
      }
    }
    return own;
  }

  /**
   * Returns true if the value is a default: core-default.xml sets most of S3A's keys, and such a
   * value is no choice of the user.
   */
  private static boolean isDefault(Configuration conf, String name, boolean copied) {
    return comesFromDefaults(conf, name) || (copied && equalsDefault(conf, name));
  }

  private static boolean comesFromDefaults(Configuration conf, String name) {
    String[] sources = conf.getPropertySources(name);
    return sources != null
        && sources.length > 0
        && sources[sources.length - 1].endsWith("-default.xml");
  }

  /**
   * Returns true if the configuration was copied entry by entry, as Iceberg and Spark's Hive client
   * do. Such a copy loses the source of each entry. The sign is a default that nobody writes by
   * hand.
   */
  private static boolean isCopied(Configuration conf) {
    return equalsDefault(conf, PROVIDERS) && !comesFromDefaults(conf, PROVIDERS);
  }

  private static boolean equalsDefault(Configuration conf, String name) {
    String value = conf.getRaw(name);
    return value != null && value.equals(DEFAULTS.getRaw(name));
  }

  /**
   * Adds the secrets from credential files (hadoop.security.credential.provider.path), including
   * secrets for a single bucket. They take precedence over plain values in the configuration.
   */
  private static void secrets(Configuration conf, Map<String, String> values) {
    if (conf.get(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, "").isEmpty()) {
      return;
    }
    Map<String, String> secrets = new HashMap<>();
    try {
      // Excludes credential files on S3, because reading them would need the file system that this
      // opens.
      Configuration readable =
          ProviderUtils.excludeIncompatibleCredentialProviders(conf, PenstockFileSystem.class);
      for (CredentialProvider provider : CredentialProviderFactory.getProviders(readable)) {
        for (String name : provider.getAliases()) {
          if (FAMILIES.stream().anyMatch(name::startsWith)) {
            char[] secret = provider.getCredentialEntry(name).getCredential();
            secrets.putIfAbsent(asWritten(name), new String(secret));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read the secrets in " + CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, e);
    }
    values.putAll(secrets);
  }

  private static String asWritten(String name) {
    return WITH_CAPITALS.stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
  }
}
