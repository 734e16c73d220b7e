/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.store;

import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import io.penstock.doctor.spark.ConfText;
import io.penstock.doctor.spark.Given;
import io.penstock.doctor.spark.PenstockView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options for access to a bucket. */
public final class StoreOptions {
  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description =
          "Endpoint of the S3 store. Default: Amazon S3. Credentials come from the usual"
              + " places (AWS_ACCESS_KEY_ID, profiles, …).")
  private String endpoint;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE|FILE",
      description =
          "A setting, named as in Spark (spark.hadoop.fs.s3a.…, penstock.…), or a settings file"
              + " (spark-defaults.conf or core-site.xml). May be repeated; the last value wins. See"
              + " 'penstock settings'.")
  private List<String> conf = List.of();

  /**
   * Opens a bucket without sending a request.
   *
   * @throws IllegalArgumentException when a setting is invalid, or the name of one on the command
   *     line is misspelled: the requests could go to another store
   */
  public StoreStack open(String bucket) throws IOException {
    ClassLoader loader = StoreOptions.class.getClassLoader();
    PenstockView penstock = PenstockView.of(loader);
    for (String setting : conf) {
      if (!isFile(setting)) {
        refuseSlip(pair(setting).values().keySet().iterator().next(), penstock);
      }
    }
    return StoreStack.open(ThisProcess.engine(), bucket, settings(), loader);
  }

  private static void refuseSlip(String name, PenstockView penstock) {
    penstock
        .meant(name)
        .ifPresent(
            meant -> {
              throw new IllegalArgumentException(
                  "--conf %s: nothing reads this setting. Did you mean %s?".formatted(name, meant));
            });
  }

  public Settings settings() throws IOException {
    return settings(Map.of());
  }

  /**
   * Returns the settings that result from the options.
   *
   * @param defaults values of options that are not given
   */
  public Settings settings(Map<String, String> defaults) throws IOException {
    return Settings.of(values(defaults));
  }

  /** Returns the settings that a store reads, by full name. They may contain secrets. */
  public Map<String, String> values(Map<String, String> defaults) throws IOException {
    Map<String, String> values = new HashMap<>(defaults);
    values.putAll(given().values());
    return values;
  }

  /** Returns all given settings, including those that only Spark reads. */
  public Given given() throws IOException {
    Map<String, String> ofEndpoint = new HashMap<>();
    if (endpoint != null && !endpoint.equals("aws")) {
      ofEndpoint.put("penstock.endpoint", endpoint);
      // Few stores other than AWS have a host name for each bucket.
      ofEndpoint.put("penstock.path.style", "true");
    }
    Given given = Given.ofHadoop(ofEndpoint);
    for (String setting : conf) {
      given = given.and(isFile(setting) ? file(setting) : pair(setting));
    }
    return given;
  }

  private static boolean isFile(String setting) {
    return setting.indexOf('=') < 0 || Files.isRegularFile(Path.of(setting));
  }

  /**
   * Returns the text of the one file of Spark's properties that is given.
   *
   * @throws IllegalArgumentException when there is none, or another kind of file
   */
  public String sparkFile() throws IOException {
    List<String> files = conf.stream().filter(StoreOptions::isFile).toList();
    if (files.size() != 1) {
      throw new IllegalArgumentException(
          "give the file to correct by one --conf=FILE; given are " + files.size());
    }
    String text = read(files.get(0));
    if (ConfText.isXml(text)) {
      throw new IllegalArgumentException(
          files.get(0) + " is XML; only a spark-defaults.conf can be corrected");
    }
    return text;
  }

  private static String read(String name) {
    try {
      return Files.readString(Path.of(name));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--conf=" + name + " is neither KEY=VALUE nor a file that can be read", e);
    }
  }

  private static Given file(String name) throws IOException {
    String text = read(name);
    return ConfText.isXml(text)
        ? Given.ofHadoop(ConfText.xml(text))
        : Given.ofSpark(ConfText.properties(text));
  }

  private static Given pair(String setting) {
    int equals = setting.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("--conf=" + setting + " is not KEY=VALUE");
    }
    return Given.ofHadoop(Map.of(setting.substring(0, equals), setting.substring(equals + 1)));
  }
}
