/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the commands say of themselves, and to input that makes no sense. */
@Timeout(60) // a server that starts after all would serve for ever
class UsageTest {
  /** A line that ends within a name, such as spark-defaults.conf or --no-audit. */
  private static final String BROKEN = "[A-Za-z0-9]([-_=]\n +[a-z0-9]|\\.\n +(conf|xml|html)\\b)";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uploads",
        "recover",
        "history",
        "undo",
        "doctor",
        "checkpoint check",
      })
  void aSecretInAUrlIsNotRepeated(String command) {
    for (String url :
        List.of("s3://AKIA:S3CRET@lake/x", "s3a://AKIA:S3C/RET@lake/x", "s3:/A:S3C@l")) {
      List<String> words = new ArrayList<>(List.of(command.split(" ")));
      words.add(url);
      if (command.equals("undo")) {
        words.add("last");
      }
      Ran ran = Ran.penstock(words.toArray(String[]::new));
      assertThat(ran.exitCode()).as(url).isEqualTo(2);
      assertThat(ran.out() + ran.err()).as(url).doesNotContain("S3C").doesNotContain("RET@");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "demo",
        "weather",
        "simulate",
        "simulate tail",
        "simulate reads",
        "simulate published",
        "analyze",
        "advise",
        "compare",
        "timeline",
        "doctor",
        "install",
        "recover",
        "history",
        "undo",
        "uploads",
        "logs",
        "logs generate",
        "settings",
        "checkpoint",
        "checkpoint check",
        "checkpoint repair"
      })
  void helpFitsATerminal(String command) {
    Ran ran = Ran.penstock((command + " --help").strip().split(" "));

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .startsWith(command.isEmpty() ? "Usage: penstock" : "Usage: penstock " + command);
    assertThat(ran.lines()).allMatch(line -> line.length() <= 80);
    assertThat(ran.out()).doesNotContain("${");
    assertThat(ran.out()).as("no name is broken that one may copy").doesNotContainPattern(BROKEN);
  }

  /** Turns of phrase that have to be read twice; STYLE of the project has more of them. */
  private static final Pattern RIDDLE =
      Pattern.compile(
          "\\b(is no|are no|nobody|everybody|tells? of|told of|stands? (there|in|beside|among)|for"
              + " ever|so many|all the same|begins? so|meanwhile|beside|as well|who sent)\\b",
          Pattern.CASE_INSENSITIVE);

  static Stream<CommandSpec> commands() {
    return withSubcommands(Main.commandLine().getCommandSpec());
  }

  private static Stream<CommandSpec> withSubcommands(CommandSpec spec) {
    return Stream.concat(
        Stream.of(spec),
        spec.subcommands().values().stream()
            .flatMap(command -> withSubcommands(command.getCommandSpec())));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpIsReadOnce(CommandSpec command) {
    List<String> texts = new ArrayList<>(List.of(command.usageMessage().description()));
    texts.addAll(List.of(command.usageMessage().footer()));
    command.args().forEach(arg -> texts.add(String.join(" ", arg.description())));
    assertThat(texts).noneMatch(text -> RIDDLE.matcher(text).find());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyOptionIsOnAPage(CommandSpec command) throws IOException {
    StringBuilder pages = new StringBuilder(Files.readString(Path.of("../../README.md")));
    try (Stream<Path> files = Files.list(Path.of("../../docs"))) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        pages.append(Files.readString(page));
      }
    }
    assertThat(command.options())
        .filteredOn(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
        .extracting(OptionSpec::longestName)
        .allSatisfy(
            name ->
                assertThat(pages).containsPattern(name.replace("--", "--(no-)?") + "(?![\\w-])"));
  }

  @Test
  void aProxyIsWeather() {
    assertThat(Ran.penstock("proxy", "--help").out()).contains("in front of one");
  }

  @Test
  void penstockAloneShowsItsHelp() {
    Ran ran = Ran.penstock();

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .contains(
            "demo",
            "weather",
            "simulate",
            "logs",
            "settings",
            "checkpoint",
            "penstock jar",
            "Exit codes");
  }

  @Test
  void theVersionIsSaid() {
    assertThat(Ran.penstock("--version").out()).startsWith("penstock ");
  }

  @Test
  void anUnknownCommandIsWrongUsage() {
    Ran ran = Ran.penstock("wether");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("'wether'").contains("penstock weather");
  }

  @Test
  void anUnknownOptionIsWrongUsage() {
    Ran ran = Ran.penstock("weather", "--prot=9400");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint()).contains("--prot=9400");
    assertThat(ran.err().lines()).hasSizeLessThanOrEqualTo(3);
    assertThat(ran.err()).contains("--port").endsWith("See penstock weather --help\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--latency=slow   | 'slow' is not a latency; write none, 50ms,",
        "--latency=5parsecs | '5parsecs' is not a duration; write 50ms, 5s or 2m",
        "--latency=lognormal:900ms,80ms | need 0 < p50 <= p99, got PT0.9S and PT0.08S",
        "--throttle=fast  | --throttle=fast is not WRITES,READS a second, such as 3500,5500",
        "--throttle=1,2,3 | --throttle=1,2,3 is not WRITES,READS a second",
        "--split-after=60 | --partition and --partition-depth need --throttle, as do",
        "--latency-of=Fly=s3 | 'Fly' is not an operation; known are ListBuckets",
        "--latency-of=GetObject=fast | 'fast' is not a latency",
        "--slow-address=127.0.0.1=2h | '2h' is not a duration",
        "--throttle=0,5500 | need depth >= 0 and rates > 0, got depth 0, 0.0 writes/s",
        "--throttle=NaN,NaN | --throttle=NaN,NaN is not WRITES,READS a second",
        "--bandwidth=wide | --bandwidth=wide must be a size such as 8M or 64K",
        "--faults=PutObjekt#1=500 | in 'PutObjekt#1=500': 'PutObjekt' is not an operation",
        "--faults=PutObject#1=oops | in 'PutObject#1=oops': 'oops' is not a fault; write 409, 412,",
        "--faults=PutObject@2=500 | in 'PutObject@2=500': '2' is not a probability from 0 to 1",
        "--faults=PutObject#0=500 | in 'PutObject#0=500': count requests from 1, and upward",
        "--faults=nonsense | 'nonsense' is not a fault rule; write OPERATION#N=FAULT",
      })
  void badWeatherNamesTheBadPiece(String option, String complaint) {
    Ran ran = Ran.penstock("weather", "--port=0", option);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).startsWith("penstock: " + complaint);
    assertThat(ran.err().lines()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--seed=many", "--partition-depth=deep", "--port=http", "--counts-every=x"})
  void anOptionThatIsNoNumberIsWrongUsage(String option) {
    Ran ran = Ran.penstock("weather", option);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.complaint())
        .startsWith("Invalid value for option '" + option.substring(0, option.indexOf('=')) + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:9000", "ftp://127.0.0.1", "http://", "/tmp"})
  void anUpstreamThatIsNoServerIsWrongUsage(String url) {
    Ran ran = Ran.penstock("weather", "--port=0", "--upstream=" + url);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains(url);
    assertThat(ran.err()).doesNotContain("\tat ");
  }

  @Test
  void aBucketThatCannotBeNamedSoIsSaid() {
    Ran ran = Ran.penstock("weather", "--port=0", "--bucket=No_Such");

    assertThat(ran.exitCode()).isNotZero();
    assertThat(ran.err().lines()).hasSize(1);
    assertThat(ran.err()).startsWith("penstock: ").contains("bucket");
  }

  @Test
  void anAccessKeyNeedsItsSecret() {
    Ran ran = Ran.penstock("weather", "--port=0", "--access-key=AK");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).isEqualTo("penstock: --access-key needs --secret-key\n");
  }

  @Test
  void aPortThatIsTakenIsSaid() throws Exception {
    try (java.net.ServerSocket taken =
        new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      Ran ran = Ran.penstock("weather", "--port=" + taken.getLocalPort());

      assertThat(ran.exitCode()).isEqualTo(1);
      assertThat(ran.err())
          .matches(
              "penstock: cannot listen on 127.0.0.1:[0-9]+: Address already in use.*"
                  + " Choose another --port.\n");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bucket=lake | --endpoint and --bucket go together",
        "--endpoint=aws | --endpoint and --bucket go together",
        "--rows=0 | need at least one row a file and one file",
        "--files=0 | need at least one row a file and one file",
        "--rows=5 | need at least one row a file and one file",
      })
  void aDemoThatCannotBeIsRefusedBeforeItStarts(String option, String complaint) {
    Ran ran = Ran.penstock("demo", option);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).isEqualTo("penstock: " + complaint + "\n");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void aRealStoreHasItsOwnWeather() {
    Ran ran = Ran.penstock("demo", "--endpoint=aws", "--bucket=lake", "--latency=1s");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("weather is made by the embedded S3 only");
  }

  @Test
  void theDemoWithoutASparkSaysHowToGetOne(@TempDir Path jars) throws IOException {
    Files.createFile(jars.resolve("penstock-spark.jar"));
    System.setProperty("penstock.jars", jars.toString());
    try {
      assertThat(Ran.penstock("demo", "--spark-home=" + jars).err())
          .isEqualTo(
              "penstock: %s is not the directory of a Spark: it has no jars/spark-core_….jar\n"
                  .formatted(jars));
    } finally {
      System.clearProperty("penstock.jars");
    }
  }

  @Test
  void settingsAreFoundByAWordOfTheirNameOrMeaning() {
    Ran ran = Ran.penstock("settings", "retry.attempts");

    assertThat(ran.lines())
        .containsExactly(
            "penstock.retry.attempts.max = 24  (whole number)",
            "    Maximum number of attempts of a request; 1 means no retries. Throttled",
            "    attempts do not count, nor attempts while the store serves nothing. N",
            "    under S3A's name means 5 (N + 1), under EMRFS's N + 1.",
            "    also read: fs.s3a.retry.limit, fs.s3.maxRetries");
  }

  @Test
  void settingsAreFoundByTheNameThatAnotherSystemGivesThem() {
    assertThat(Ran.penstock("settings", "fs.s3.maxRetries").lines())
        .first()
        .isEqualTo("penstock.retry.attempts.max = 24  (whole number)");
  }

  @Test
  void allSettingsAreThereWithoutAWord() {
    List<String> lines = Ran.penstock("settings").lines();

    assertThat(lines).anyMatch(line -> line.startsWith("penstock.endpoint = "));
    assertThat(lines).anyMatch(line -> line.startsWith("penstock.retry.duration.max = 3m"));
  }

  @Test
  void aWordThatNoSettingHasIsSaid() {
    Ran ran = Ran.penstock("settings", "warp.drive");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .isEqualTo(
            "penstock: no setting has 'warp.drive' in it; penstock settings shows all of them\n");
  }

  @Test
  void aSlipInTheWordOfASettingIsNamed() {
    assertThat(Ran.penstock("settings", "endpont").err())
        .isEqualTo("penstock: no setting has 'endpont' in it; did you mean endpoint?\n");
    assertThat(Ran.penstock("settings", "acces.point").err())
        .isEqualTo("penstock: no setting has 'acces.point' in it; did you mean access.point?\n");
  }

  @Test
  void aComplaintAboutTheEndpointNamesTheOptionThatGaveIt() {
    assertThat(Ran.penstock("uploads", "s3://lake", "--endpoint", "http:/x").err())
        .startsWith("penstock: --endpoint='http:/x' lacks a slash");
    assertThat(Ran.penstock("uploads", "s3://lake", "--conf=penstock.endpoint=http:/x").err())
        .startsWith("penstock: penstock.endpoint='http:/x' lacks a slash");
  }

  @Test
  void aDirectoryWithoutFilesIsNoWrongUsage(@TempDir Path empty) {
    Ran ran = Ran.penstock("analyze", empty.toString());
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).isEqualTo("penstock: " + empty + " has no files in it\n");
  }

  @Test
  void helpIsACommandToo() {
    assertThat(Main.withoutHelp(new String[] {"help"})).containsExactly("--help");
    assertThat(Main.withoutHelp(new String[] {"help", "demo"})).containsExactly("demo", "--help");
    assertThat(Main.withoutHelp(new String[] {"demo", "help"})).containsExactly("demo", "help");
  }

  @Test
  void anUpstreamWithoutSchemeIsToldHowToWriteIt() {
    Ran ran = Ran.penstock("weather", "--upstream=127.0.0.1:9000");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err())
        .isEqualTo("penstock: --upstream needs a scheme: write --upstream=http://127.0.0.1:9000\n");
  }

  @Test
  void theDemoLooksForTheBucketBeforeItStartsSpark() {
    Ran ran =
        Ran.penstock(
            "demo",
            "--endpoint=http://127.0.0.1:1",
            "--bucket=lake",
            "--conf=spark.hadoop.penstock.credentials=anonymous");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("LIST s3://lake/", "127.0.0.1:1");
    assertThat(ran.out()).isEmpty();
  }
}
