/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import io.penstock.core.config.ConfigException;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.Settings;
import io.penstock.core.config.spark.NativeReaders;
import io.penstock.core.config.spark.SparkJudge;
import io.penstock.core.config.spark.SparkKeys;
import io.penstock.core.stack.StoreStack;
import io.penstock.hadoop.HadoopSettings;
import io.penstock.hadoop.PenstockFileSystem;
import io.penstock.hadoop.PenstockFs;
import io.penstock.hadoop.commit.PenstockCommitterFactory;
import io.penstock.hadoop.commit.PenstockMapredCommitter;
import io.penstock.spark.once.OnceExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitterFactory;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Makes the settings that Penstock needs in a Spark application. It runs when the Hadoop
 * configuration exists and before any session or executor starts, so that all of them see the
 * settings.
 */
public final class Wiring {
  private static final Logger LOG = LoggerFactory.getLogger("io.penstock.spark.PenstockPlugin");

  private static final String FLAT_LISTING = "spark.sql.sources.useListFilesFileSystemList";
  private static final String EXTENSIONS = "spark.sql.extensions";
  private static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.";

  private static final String REDACTION = "spark.redaction.regex";
  private static final String DEFAULT_REDACTION = "(?i)secret|password|token|access[.]?key";
  private static final String ENCRYPTION_KEY = "encryption[.]key";
  private static final String THRIFT_SERVER =
      "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2";
  private static final List<String> SCHEMES = List.of("s3", "s3a");
  private static final String OURS = "io.penstock.";

  /** The names under which pyspark and spark-shell start, unless they are told another. */
  private static final Set<String> SHELLS = Set.of("PySparkShell", "Spark shell");

  private final SparkConf conf;
  private final Configuration hadoop;
  private final String sparkVersion;
  private final Class<? extends FileCommitProtocol> protocol;

  /**
   * Wires an application.
   *
   * @param protocol the commit protocol of SQL writes
   */
  public Wiring(SparkContext spark, Class<? extends FileCommitProtocol> protocol) {
    this(spark.conf(), spark.hadoopConfiguration(), spark.version(), protocol);
  }

  Wiring(
      SparkConf conf,
      Configuration hadoop,
      String sparkVersion,
      Class<? extends FileCommitProtocol> protocol) {
    this.conf = conf;
    this.hadoop = hadoop;
    this.sparkVersion = sparkVersion;
    this.protocol = protocol;
  }

  /** Returns true if the user has switched the plugin off; says so in the log. */
  public boolean isOff() {
    boolean isOff = !HadoopSettings.of(hadoop).get(SparkKeys.ENABLED);
    if (isOff) {
      LOG.warn(
          "Penstock {} is switched off by {}{}=false: the plugin sets nothing, and S3 is read and"
              + " written as it would be without spark.plugins",
          version(),
          ConfigKey.PREFIX,
          SparkKeys.ENABLED.name());
    }
    return isOff;
  }

  /** Makes the settings. Returns the user's settings for S3. */
  public Settings apply() {
    SparkVersions.require(sparkVersion);
    ClassLoader loader = Wiring.class.getClassLoader();
    Settings settings = HadoopSettings.of(hadoop);
    if (!settings.get(SparkKeys.FILESYSTEM)) {
      return engineOnly(settings, loader);
    }
    refuseBad(settings, loader);
    boolean commits = settings.get(SparkKeys.COMMIT);
    boolean checkpoints = settings.get(SparkKeys.CHECKPOINT);
    if (commits) {
      refuseUnseenJar(
          System.getProperty("sun.java.command", ""), ClassLoader.getSystemClassLoader());
    }
    judge(commits, checkpoints);
    registerFileSystem();
    hideSecrets();
    if (commits) {
      setCommitters();
    } else {
      replaceMissingFactories();
    }
    if (checkpoints) {
      conf.set(SparkJudge.CHECKPOINT_MANAGER, SparkVersions.checkpointManager());
    }
    addFlatListing();
    JarCopies.warning(
            "io/penstock/spark/PenstockPlugin.class",
            Thread.currentThread().getContextClassLoader())
        .ifPresent(LOG::warn);
    String plugins = conf.get("spark.plugins", "");
    NativeEngines.settings(plugins, hadoop, settings).forEach(this::repeat);
    NativeReaders.description(this::setting).ifPresent(LOG::info);
    List<String> catalogs = others().underIceberg();
    LOG.atLevel(isShell() ? Level.WARN : Level.INFO).log(inForce());
    if (!catalogs.isEmpty()) {
      LOG.info("Penstock's engine is under Iceberg's S3FileIO of {}", named(catalogs));
    }
    return settings;
  }

  /** Leaves file systems and committers as they are, and puts the engine under their clients. */
  private Settings engineOnly(Settings settings, ClassLoader loader) {
    List<ConfigKey<?>> keys = StoreStack.keys(loader);
    settings.refuseUnknown(keys);
    settings.refuseBadValues(keys);
    StoreStack.refuseContradictions(settings);
    boolean underS3A = others().underS3A(this::setHadoop);
    List<String> catalogs = others().underIceberg();
    if (!underS3A && catalogs.isEmpty()) {
      throw new ConfigException(
          "penstock.filesystem=false puts Penstock's engine under the clients of others, and there"
              + " is neither hadoop-aws on the class path nor a catalog of Iceberg with S3FileIO"
              + " among the settings. Add --packages org.apache.hadoop:hadoop-aws of your Hadoop's"
              + " version, or remove the setting");
    }
    for (String scheme : SCHEMES) {
      String name = "fs." + scheme + ".impl";
      if (hadoop.get(name, "").startsWith(OURS)) {
        LOG.warn(
            "{} is not set by the plugin, but still names Penstock's file system, so {}:// is"
                + " Penstock's, and commits as configured, which may rename",
            name,
            scheme);
      }
    }
    List<String> under = new ArrayList<>();
    if (underS3A) {
      under.add("S3A's client");
    }
    if (!catalogs.isEmpty()) {
      under.add("Iceberg's S3FileIO of " + named(catalogs));
    }
    LOG.atLevel(isShell() ? Level.WARN : Level.INFO)
        .log(
            "Penstock {}'s engine is under {} on Spark {}: file systems, committers and checkpoints"
                + " as configured",
            version(),
            String.join(" and ", under),
            sparkVersion);
    return settings;
  }

  private OtherClients others() {
    return new OtherClients(conf, hadoop, new ApplicationClasses());
  }

  private static String named(List<String> catalogs) {
    return (catalogs.size() == 1 ? "the catalog " : "the catalogs ") + String.join(", ", catalogs);
  }

  /** Shells show warnings only, and whoever starts one should see whether Penstock is there. */
  private boolean isShell() {
    return SHELLS.contains(conf.get("spark.app.name", ""));
  }

  /** Says what is in force, from the settings as they are now. */
  String inForce() {
    String committer = conf.get(SparkJudge.SQL_PROTOCOL, "");
    String manager = conf.get(SparkJudge.CHECKPOINT_MANAGER, "");
    return "Penstock %s serves %s on Spark %s: %s, %s, flat listing, %s"
        .formatted(
            version(),
            SCHEMES.stream()
                .filter(scheme -> hadoop.get("fs." + scheme + ".impl", "").startsWith(OURS))
                .map(scheme -> scheme + "://")
                .collect(Collectors.joining(" and ")),
            sparkVersion,
            committer.startsWith(OURS)
                ? "commits without a rename"
                : "committers as configured, which may rename",
            manager.startsWith(OURS)
                ? "checkpoints by conditional writes"
                : "checkpoints as configured",
            conf.getBoolean("spark.eventLog.enabled", false)
                ? "event log in " + place(conf.get("spark.eventLog.dir", "/tmp/spark-events"))
                : "no event log");
  }

  /** Leaves out a user and a password. */
  private static String place(String directory) {
    return directory.replaceFirst("//[^/@]*@", "//");
  }

  /** Refuses a bad setting now; otherwise the job would fail only when it first uses a bucket. */
  private static void refuseBad(Settings settings, ClassLoader loader) {
    List<ConfigKey<?>> keys = StoreStack.keys(loader);
    settings.refuseUnknown(keys);
    settings.refuseBadValues(keys);
    try {
      StoreStack.refuseUnusable(settings, loader);
    } catch (IllegalArgumentException e) {
      if (settings.hasBuckets()) {
        LOG.warn(
            "The settings that apply to all buckets are not valid. A bucket can be used only if"
                + " settings for that bucket correct them: {}",
            e.getMessage());
        return;
      }
      throw e instanceof ConfigException bad ? bad : new ConfigException(e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds our schemes to the user's value of {@link #FLAT_LISTING}. For the schemes in this setting,
   * Spark lists a directory by one recursive call of {@code listFiles}.
   */
  private void addFlatListing() {
    Set<String> schemes = new LinkedHashSet<>(List.of(conf.get(FLAT_LISTING, "").split(",", -1)));
    schemes.remove("");
    schemes.addAll(SCHEMES);
    conf.set(FLAT_LISTING, String.join(",", schemes));
  }

  private void registerFileSystem() {
    for (String scheme : SCHEMES) {
      setHadoop("fs." + scheme + ".impl", PenstockFileSystem.bestClassName());
      setHadoop("fs.AbstractFileSystem." + scheme + ".impl", PenstockFs.class.getName());
    }
  }

  private void setCommitters() {
    conf.set(SparkJudge.SQL_PROTOCOL, protocol.getName());
    Set<String> extensions = new LinkedHashSet<>(List.of(conf.get(EXTENSIONS, "").split(",", -1)));
    extensions.remove("");
    extensions.add(OnceExtension.class.getName());
    conf.set(EXTENSIONS, String.join(",", extensions));
    setHadoop(SparkJudge.MAPRED_COMMITTER, PenstockMapredCommitter.class.getName());
    for (String scheme : SCHEMES) {
      setHadoop(FACTORY + scheme, PenstockCommitterFactory.class.getName());
    }
  }

  /**
   * Sets Hadoop's own committer where the committer factory is not on the class path. Hadoop's
   * defaults name S3A's factory for {@code s3a}, and a job would fail without hadoop-aws.
   */
  private void replaceMissingFactories() {
    for (String scheme : SCHEMES) {
      String factory = hadoop.get(FACTORY + scheme, "");
      if (!factory.isEmpty() && !isThere(factory)) {
        setHadoop(FACTORY + scheme, FileOutputCommitterFactory.class.getName());
      }
    }
  }

  private static boolean isThere(String name) {
    return new ApplicationClasses().has(name);
  }

  /**
   * Sets the key in the configurations of Hadoop and of Spark. Code on executors that makes its own
   * Hadoop configuration starts from Spark's.
   */
  private void setHadoop(String name, String value) {
    hadoop.set(name, value);
    conf.set("spark.hadoop." + name, value);
  }

  /**
   * Makes Spark hide the encryption key. Spark's UI and event log hide settings whose names look
   * secret, and this name does not.
   */
  private void hideSecrets() {
    String hidden = conf.get(REDACTION, DEFAULT_REDACTION);
    if (!hidden.contains(ENCRYPTION_KEY)) {
      conf.set(REDACTION, hidden + "|" + ENCRYPTION_KEY);
    }
  }

  /**
   * Refuses a Thrift Server that got the jar by {@code --jars}: since Spark 4, each of its sessions
   * checks the commit protocol's class in a thread that sees only the class path, and fails.
   *
   * @param command the command line of this process
   * @param classPath the loader of its class path
   */
  void refuseUnseenJar(String command, ClassLoader classPath) {
    boolean isThriftServer = List.of(command.split(" ", -1)).contains(THRIFT_SERVER);
    if (!isThriftServer || !SparkVersions.isFrom(4, sparkVersion)) {
      return;
    }
    try {
      Class.forName(protocol.getName(), false, classPath);
    } catch (ClassNotFoundException e) {
      throw new ConfigException(
          "The Thrift Server's sessions see only the class path, and penstock-spark.jar comes from"
              + " --jars. Put it into Spark's jars directory ('penstock install SPARK_HOME'), or"
              + " name it by --driver-class-path and spark.executor.extraClassPath",
          e);
    }
  }

  /** Refuses, or takes away, what would make Spark commit or write checkpoints another way. */
  private void judge(boolean commits, boolean checkpoints) {
    List<String> names = Stream.of(conf.getAll()).map(scala.Tuple2::_1).toList();
    SparkJudge.refuseLost(names);
    List<String> known =
        StoreStack.keys(Wiring.class.getClassLoader()).stream()
            .flatMap(key -> Stream.concat(Stream.of(key.fullName()), key.aliases().stream()))
            .toList();
    SparkJudge.withoutEffect(names, known).forEach(LOG::warn);
    SparkJudge judge = new SparkJudge(this::setting, Wiring::isThere);
    List<SparkJudge.Finding> findings = judge.findings(commits, checkpoints);
    findings.stream()
        .filter(SparkJudge.Finding::isRefused)
        .findFirst()
        .ifPresent(
            finding -> {
              throw new ConfigException(finding.message());
            });
    for (SparkJudge.Finding finding : findings) {
      refuseIfItComesBack(finding);
      LOG.warn("{} Penstock has taken it away.", finding.message());
      conf.remove(finding.name());
      conf.remove("spark.hadoop." + finding.name());
      hadoop.unset(finding.name());
    }
  }

  /**
   * Refuses a class that is not there if a session's builder may name it. The builder sets its
   * options in each session again, also what is taken away here; then Spark fails to load the
   * class, and PySpark waits for ever. What spark-submit is given stands in the system's
   * properties; but a Python program without spark-submit passes its builder's options there, too.
   */
  private static void refuseIfItComesBack(SparkJudge.Finding finding) {
    String command = System.getProperty("sun.java.command", "").strip();
    boolean isSubmitted =
        finding.value().equals(System.getProperty(finding.name()))
            && !command.endsWith("pyspark-shell");
    if (SparkJudge.UNUSED_COMMITTERS.contains(finding.name())
        && !isSubmitted
        && !isThere(finding.value())) {
      throw new ConfigException(
          "%s=%s names a class that is not on the class path. %s."
              .formatted(finding.name(), finding.value(), finding.remedy()));
    }
  }

  /**
   * Repeats a setting. What is not in Spark's configuration, such as a key in core-site.xml, does
   * not get there, where the event log has it.
   */
  private void repeat(NativeEngines.Repeated repeated) {
    hadoop.set(repeated.name(), repeated.value());
    if (conf.contains("spark.hadoop." + repeated.source())) {
      conf.set("spark.hadoop." + repeated.name(), repeated.value());
    }
  }

  private Optional<String> setting(String name) {
    return Optional.ofNullable(name.startsWith("spark.") ? conf.get(name, null) : hadoop.get(name));
  }

  private static String version() {
    String version = Wiring.class.getPackage().getImplementationVersion();
    return version == null ? "(development)" : version;
  }
}
