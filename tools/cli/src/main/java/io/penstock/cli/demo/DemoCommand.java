/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.demo;

import io.penstock.cli.print.Terminal;
import io.penstock.cli.store.ThisProcess;
import io.penstock.cli.weather.WeatherOptions;
import io.penstock.core.config.Settings;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.ListRequest;
import io.penstock.doctor.spark.Given;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.tables.format.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code penstock demo}: runs a real Spark job and shows its requests to S3. */
@Command(
    name = "demo",
    description =
        "Runs a real Spark job on S3 that writes a table, overwrites it, reads it back and checks"
            + " it. Then shows how many requests the job sent, and how many the same job sends with"
            + " Hadoop's rename committer.",
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  /** A latency below that of S3. Without any latency, requests would seem to take no time. */
  private static final String USUAL_LATENCY = "5ms";

  @Spec private CommandSpec spec;

  @Mixin private WeatherOptions weather;

  @Option(
      names = "--rows",
      defaultValue = "2000000",
      description = "Number of rows of the table. Default: ${DEFAULT-VALUE}.")
  private long rows;

  @Option(
      names = "--files",
      defaultValue = "100",
      description = "Number of files of the table. Default: ${DEFAULT-VALUE}.")
  private int files;

  @Option(
      names = "--no-compare",
      description = "Skip the second run, which uses Hadoop's rename committer.")
  private boolean noCompare;

  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description =
          "Endpoint of an S3 store to use instead of the embedded S3; 'aws' means Amazon S3."
              + " Credentials come from the usual places (AWS_ACCESS_KEY_ID, profiles, …). Needs"
              + " --bucket.")
  private String endpoint;

  @Option(
      names = "--bucket",
      paramLabel = "NAME",
      description =
          "An existing bucket. The demo writes under a prefix of its own and deletes it at"
              + " the end.")
  private String bucket;

  @Option(
      names = "--spark-home",
      paramLabel = "DIR",
      description =
          "Directory of the Spark that runs the job. Default: $SPARK_HOME; in a clone, the Spark of"
              + " its build.")
  private String sparkHome;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A setting for Spark; may be repeated.")
  private List<String> conf = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if ((endpoint == null) != (bucket == null)) {
      throw new IllegalArgumentException("--endpoint and --bucket go together");
    }
    if (rows < 1 || files < 1 || files > rows) {
      throw new IllegalArgumentException("need at least one row a file and one file");
    }
    return endpoint == null ? onEmbedded() : onReal();
  }

  private int onEmbedded() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("penstock-demo");
    try (EmbeddedS3 s3 =
        EmbeddedS3.builder()
            .bucket("lake")
            .directory(directory)
            .weather(weather.weather(USUAL_LATENCY))
            .start()) {
      List<String> settings = new ArrayList<>(conf);
      settings.add("spark.hadoop.penstock.endpoint=" + s3.endpoint());
      settings.add("spark.hadoop.penstock.credentials=anonymous");
      // The embedded store supports this. A test of the feature would send requests that no step
      // needs.
      settings.add("spark.hadoop.penstock.conditional.writes=true");
      String name = "the embedded S3, which answers " + weather.latency(USUAL_LATENCY) + " late";
      return run("lake", name, settings, Optional.of(s3));
    } finally {
      delete(directory);
    }
  }

  private int onReal() throws IOException, InterruptedException {
    if (weather.isAsked()) {
      throw new IllegalArgumentException(
          "weather is made by the embedded S3 only; put penstock weather --upstream before yours");
    }
    List<String> settings = new ArrayList<>(conf);
    if (!endpoint.equals("aws")) {
      settings.add("spark.hadoop.penstock.endpoint=" + endpoint);
      settings.add("spark.hadoop.penstock.path.style=true");
    }
    reach(settings);
    return run(bucket, "s3://" + bucket + " at " + endpoint, settings, Optional.empty());
  }

  /** Fails at once if the bucket cannot be listed: Spark would need a minute to say so. */
  private void reach(List<String> settings) throws IOException {
    Map<String, String> values = new HashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals > 0) {
        values.put(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
    try (StoreStack stack =
        StoreStack.open(
            ThisProcess.engine(),
            bucket,
            Settings.of(Given.ofSpark(values).values()),
            DemoCommand.class.getClassLoader())) {
      stack.store().list(ListRequest.flat("").limit(1));
    }
  }

  private int run(String where, String name, List<String> settings, Optional<EmbeddedS3> s3)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Terminal terminal = new Terminal(out);
    SparkProcess spark = SparkProcess.find(Optional.ofNullable(sparkHome));
    String table = "s3://%s/penstock-demo-%d".formatted(where, ProcessHandle.current().pid());
    terminal.print(
        "%s rows in %d files like TPC-H's lineitem, by Spark on%n%s"
            .formatted(Values.count(rows), files, name));
    terminal.print("");
    DemoRun run = new DemoRun(terminal, s3, ThisProcess.time());
    List<String> arguments =
        List.of(table, Long.toString(rows), Integer.toString(files), Boolean.toString(!noCompare));
    int exit = spark.run("io.penstock.spark.demo.Demo", settings, arguments, run);
    if (exit != 0) {
      terminal.print("");
      terminal.print("Spark failed; its log is " + spark.log());
      spark.lastProblem().ifPresent(problem -> terminal.print("  " + problem));
      return 1;
    }
    spark.deleteLog();
    out.print(run.report());
    out.flush();
    return run.passed() ? 0 : 1;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
