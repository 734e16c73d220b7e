/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.input;

import io.penstock.analyze.input.BucketSource;
import io.penstock.analyze.input.LocalSource;
import io.penstock.analyze.input.LogSource;
import io.penstock.analyze.input.ReadProgress;
import io.penstock.analyze.logs.Filter;
import io.penstock.analyze.logs.LogData;
import io.penstock.analyze.logs.LogOptions;
import io.penstock.cli.store.StoreOptions;
import io.penstock.core.stack.StoreStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The options that select the logs, the way in which they are read, and the requests that are
 * analysed.
 */
public final class LogsOptions {
  private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  private static final Pattern BUCKET = Pattern.compile("s3a?://([^/]+)/*(.*)");

  @Parameters(
      paramLabel = "LOGS",
      arity = "1..*",
      description =
          "Files, directories or s3://BUCKET/PREFIX, in any mix: S3 server access logs,"
              + " CloudTrail, container logs with the SDK's debug lines, Spark event logs,"
              + " Penstock's request log. Compressed files are read too; the format is detected"
              + " from the content.")
  private List<String> paths;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Only requests at or after this UTC time, such as 2026-11-20T08:00:00 or 2026-11-20.")
  private String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Only requests before this UTC time.")
  private String to;

  @Option(names = "--bucket", paramLabel = "NAME", description = "Only requests to this bucket.")
  private String bucket;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description = "Only requests whose key starts with PREFIX.")
  private String prefix;

  @Option(
      names = "--who",
      paramLabel = "TEXT",
      description = "Only requests whose role, requester, application or user agent contains TEXT.")
  private String who;

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description =
          "Kind of log to use if several kinds record the same requests: access_log, request_log,"
              + " cloudtrail or client_log. Default: for each bucket, the first of these kinds that"
              + " exists.")
  private String source;

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description =
          "Directory where parsed logs are kept as Parquet, so that the next command on the same"
              + " logs takes only seconds. Default: ~/.cache/penstock/logs. The five newest sets of"
              + " logs are kept.")
  private Path cache;

  @Option(names = "--no-cache", description = "Do not keep parsed logs.")
  private boolean isUncached;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      defaultValue = "1000",
      description = "Memory that DuckDB may use, in MiB. Default: ${DEFAULT-VALUE}.")
  private int memoryMiB;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads. Default: one for each processor.")
  private Integer threads;

  @Mixin private SparkOptions spark;

  @Mixin private StoreOptions store;

  /** The logs that were read, and the stores that they were read from. */
  public record Opened(LogData data, List<StoreStack> stores) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      try {
        data.close();
      } finally {
        for (StoreStack stack : stores) {
          stack.close();
        }
      }
    }
  }

  public List<String> paths() {
    return paths;
  }

  /**
   * Reads the logs.
   *
   * @throws IllegalArgumentException when a path does not exist, or an option is invalid
   */
  public Opened open(ReadProgress progress) throws IOException {
    return open(paths, 1, progress);
  }

  /**
   * Reads some of the logs.
   *
   * @param engines number of engines that are open at once and share the memory
   */
  public Opened open(List<String> some, int engines, ReadProgress progress) throws IOException {
    LogOptions options = options(memoryMiB / engines);
    List<StoreStack> stores = new ArrayList<>();
    List<LogSource> sources = new ArrayList<>();
    for (String path : some) {
      sources.addAll(sources(path, stores));
    }
    return new Opened(LogData.open(distinct(sources), options, progress), stores);
  }

  /**
   * Returns each file once, even if one path lies within another or a link points to another file.
   */
  private static List<LogSource> distinct(List<LogSource> sources) {
    Map<Object, LogSource> distinct = new LinkedHashMap<>();
    for (LogSource source : sources) {
      distinct.putIfAbsent(source.identity(), source);
    }
    return List.copyOf(distinct.values());
  }

  private List<LogSource> sources(String path, List<StoreStack> stores) throws IOException {
    Matcher parts = BUCKET.matcher(path);
    if (parts.matches()) {
      StoreStack stack = store.open(parts.group(1));
      stores.add(stack);
      List<LogSource> found = BucketSource.below(stack.store(), parts.group(2));
      if (found.isEmpty()) {
        throw new IllegalArgumentException("nothing is at " + path);
      }
      return found;
    }
    if (path.isBlank()) {
      throw new IllegalArgumentException("one of the log paths is empty");
    }
    Path local = Path.of(path.startsWith("file:") ? path.replaceFirst("^file:/*", "/") : path);
    if (!Files.exists(local, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(path + ": no such file or directory");
    }
    List<LogSource> found = LocalSource.below(local);
    if (found.isEmpty()) {
      throw new IOException(path + " has no files in it");
    }
    return found;
  }

  public SparkOptions spark() {
    return spark;
  }

  /**
   * Checks the options before any long work begins.
   *
   * @throws IllegalArgumentException when an option is invalid
   */
  public void checkOptions() throws IOException {
    options(memoryMiB);
  }

  /**
   * Returns the options for reading the logs.
   *
   * @throws IllegalArgumentException when an option is invalid
   */
  private LogOptions options(int memory) throws IOException {
    if (isUncached && cache != null) {
      throw new IllegalArgumentException("--cache and --no-cache exclude each other");
    }
    if (spark.isSpark() && (cache != null || threads != null)) {
      throw new IllegalArgumentException(
          "--cache and --threads apply to DuckDB only; with Spark use --work-dir and --master"
              + " 'local[N]'");
    }
    Filter filter =
        new Filter(
            Optional.ofNullable(from).map(text -> time("--from", text)),
            Optional.ofNullable(to).map(text -> time("--to", text)),
            Optional.ofNullable(bucket),
            Optional.ofNullable(prefix),
            Optional.ofNullable(who),
            Optional.ofNullable(source));
    int all = Runtime.getRuntime().availableProcessors();
    return new LogOptions(
        isUncached || spark.isSpark()
            ? Optional.empty()
            : Optional.of(cache == null ? home() : cache),
        memory,
        threads == null ? all : threads,
        filter,
        spark.choice(store.values(Map.of())));
  }

  private static Path home() {
    String base = System.getenv("XDG_CACHE_HOME");
    if (base != null && !base.isEmpty()) {
      return Path.of(base, "penstock", "logs");
    }
    // Java says "?" for a user without a home, such as one that a pod has made up.
    String home = System.getProperty("user.home");
    return home.equals("?")
        ? Path.of(System.getProperty("java.io.tmpdir"), "penstock-cache", "logs")
        : Path.of(home, ".cache", "penstock", "logs");
  }

  private static Instant time(String option, String text) {
    try {
      String clean = text.strip().replace(' ', 'T');
      if (DAY.matcher(clean).matches()) {
        clean += "T00:00";
      }
      LocalDateTime time =
          LocalDateTime.parse(clean.endsWith("Z") ? clean.substring(0, clean.length() - 1) : clean);
      if (time.getYear() < 1 || time.getYear() > 9999) {
        throw new IllegalArgumentException(option + "=" + text + ": years are 1 to 9999");
      }
      return time.toInstant(ZoneOffset.UTC);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          option
              + "="
              + text
              + " cannot be read as a time; use 2026-11-20T08:00:00, or a day such as 2026-11-20",
          e);
    }
  }
}
