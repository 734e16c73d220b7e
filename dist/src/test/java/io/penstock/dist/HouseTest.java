/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.penstock.dist.House.CLASSES;
import static io.penstock.dist.House.isOf;
import static io.penstock.dist.House.module;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaStaticInitializer;
import io.penstock.core.caller.Caller;
import io.penstock.core.config.ConfigKey;
import io.penstock.core.config.KeySource;
import io.penstock.core.request.Attempt;
import io.penstock.core.stack.Engine;
import io.penstock.core.store.ObjectStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The house: which module may know which, and which outside world stands where. */
class HouseTest {
  private static final String[] JDK = {"java..", "javax..", "org.slf4j.."};

  /** A module, and what it may know beside the JDK, slf4j and itself. */
  private record Room(String name, List<String> others) {
    static Room of(String name, String... others) {
      return new Room(name, List.of(others));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String JACKSON = "com.fasterxml.jackson.core..";
  private static final String[] SPARK = {
    "org.apache.spark..", "org.apache.hadoop..", "scala..", "com.codahale.metrics.."
  };

  /** The modules that ship in penstock-spark.jar and penstock-sdk.jar; they know no tool. */
  private static final List<Room> STORAGE =
      List.of(
          Room.of("core", "org.HdrHistogram.."),
          Room.of("s3", module("core"), "software.amazon.awssdk..", "org.apache.hc.."),
          Room.of(
              "sdk",
              module("core"),
              "software.amazon.awssdk..",
              "org.apache.hadoop..",
              "org.apache.iceberg.."),
          Room.of("hadoop", module("core"), "org.apache.hadoop.."),
          // Spark's own Jackson and servlets, for the tab in its UI.
          Room.of(
              "spark",
              with(
                  SPARK,
                  module("core"),
                  module("hadoop"),
                  "com.fasterxml.jackson..",
                  "jakarta.servlet..",
                  "org.apache.logging.log4j..")),
          Room.of("spark35", with(SPARK, module("core"), module("hadoop"), module("spark"))));

  /** The tools know what they share, {@code tables} and {@code s3model}, and not each other. */
  private static final List<Room> TOOLS =
      List.of(
          Room.of("tables", JACKSON),
          Room.of("s3model"),
          Room.of("doctor", module("core"), JACKSON),
          Room.of("checkpoints", module("core"), module("tables"), JACKSON),
          Room.of("emulator", module("core"), module("s3model")),
          Room.of("simulator", module("core"), module("s3model")),
          Room.of("loggen", module("s3model")),
          Room.of(
              "analyze",
              module("core"),
              module("tables"),
              JACKSON,
              "org.duckdb..",
              "com.github.luben.zstd..",
              "net.jpountz..",
              "org.xerial.snappy..",
              "com.ning.compress.."),
          Room.of(
              "analyzespark",
              module("core"),
              module("analyze"),
              module("tables"),
              "org.apache.spark..",
              "org.apache.hadoop.conf..",
              "org.apache.hadoop.fs..",
              "scala.."),
          Room.of(
              "cli",
              module("core"),
              module("s3"),
              module("tables"),
              module("s3model"),
              module("doctor"),
              module("checkpoints"),
              module("emulator"),
              module("simulator"),
              module("loggen"),
              module("analyze"),
              "picocli.."));

  /** Measures, and is never published. */
  private static final Room BENCH =
      Room.of(
          "bench", module("core"), module("analyze"), "org.openjdk.jmh..", "com.sun.management..");

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  static Stream<Room> rooms() {
    return Stream.of(STORAGE, TOOLS, List.of(BENCH)).flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void aModuleKnowsOnly(Room room) {
    String[] allowed = with(with(JDK, room.others().toArray(String[]::new)), module(room.name()));
    // Classes that cannot be found (arrays of primitives, annotations of tools) have no package.
    DescribedPredicate<JavaClass> known = resideInAnyPackage(allowed).or(resideInAPackage(""));
    classes()
        .that()
        .resideInAPackage(module(room.name()))
        .should()
        .onlyDependOnClassesThat(known)
        .check(CLASSES);
  }

  @Test
  void everyClassIsInARoom() {
    String[] all = rooms().map(room -> module(room.name())).toArray(String[]::new);
    classes().should().resideInAnyPackage(all).check(CLASSES);
  }

  @Test
  void theStorageLayerSeesNoTool() {
    String[] tools = TOOLS.stream().map(room -> module(room.name())).toArray(String[]::new);
    String[] storage = STORAGE.stream().map(room -> module(room.name())).toArray(String[]::new);
    noClasses()
        .that()
        .resideInAnyPackage(storage)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(tools)
        .check(CLASSES);
  }

  @Test
  void noPackageIsPartOfACycle() {
    slices().matching("io.penstock.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** More files in one room than that, and nobody sees what belongs together. */
  private static final int FILES_MAX = 20;

  @Test
  void noRoomOfTheStorageLayerIsAHall() {
    Map<String, Long> files =
        CLASSES.stream()
            .filter(type -> STORAGE.stream().anyMatch(room -> isIn(type, room)))
            .filter(type -> type.isTopLevelClass())
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    files.values().removeIf(count -> count <= FILES_MAX);
    assertThat(files).isEmpty();
  }

  private static boolean isIn(JavaClass type, Room room) {
    return resideInAPackage(module(room.name())).test(type);
  }

  private static final String BUILT_ONCE = "names of fields; nothing is added after it was built";

  private static final String THREADS_OWN = "bound to a thread for as long as its call lasts";

  /** Static fields that hold a state, and the reason why no engine does. */
  private static final Map<String, String> STATES =
      Map.ofEntries(
          Map.entry("core.stack.Engine.PROCESS", "the engine of the process"),
          Map.entry("core.caller.Caller.CURRENT", THREADS_OWN),
          Map.entry("core.request.Attempt.CURRENT", THREADS_OWN),
          Map.entry("core.request.Attempt.MOVES", "changes a field of an attempt, and has none"),
          Map.entry("s3.network.AddressRoutes.CHOSEN", THREADS_OWN),
          Map.entry("spark.checkpoint.QueryWriter.OF_RUN", THREADS_OWN),
          Map.entry("spark.once.WriteName.ENDED", "names that this process has used; bounded"),
          Map.entry("spark.once.WriteName.PLANNED", "executions of this process; bounded"),
          Map.entry("spark.once.WriteName.CLAIMS", "names that this process has used; bounded"),
          Map.entry("spark.once.WriteName.TOLD", "warnings of this process; bounded"),
          Map.entry("spark.logs.ProcessLogs.present", "a process has one log"),
          Map.entry("emulator.s3.FileBlobs.CURRENT", THREADS_OWN),
          Map.entry("analyze.accesslog.StructuredParser.TREE", BUILT_ONCE),
          Map.entry("analyze.cloudtrail.TrailEvent.TREE", BUILT_ONCE),
          Map.entry("analyze.requestlog.RequestLogParser.TREE", BUILT_ONCE),
          Map.entry("analyze.duckdb.DuckEngine.OPENED", "numbers databases, which DuckDB shares"));

  @Test
  void noStateIsHiddenInAStaticField() {
    List<String> states =
        CLASSES.stream()
            .filter(type -> !type.getPackageName().startsWith("io.penstock." + BENCH.name()))
            .flatMap(type -> type.getFields().stream())
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            .filter(HouseTest::holdsState)
            .map(field -> field.getFullName().replace("io.penstock.", ""))
            .toList();
    assertThat(states).containsExactlyInAnyOrderElementsOf(STATES.keySet());
  }

  /** Tells a field that can be set, or whose type is made to be changed. */
  private static boolean holdsState(JavaField field) {
    boolean isSettable =
        !field.getModifiers().contains(JavaModifier.FINAL)
            && !field.getModifiers().contains(JavaModifier.SYNTHETIC);
    return isSettable || isMutable(field.getRawType(), new HashSet<>());
  }

  private static final List<Class<?>> MUTABLE =
      List.of(
          ThreadLocal.class,
          SplittableRandom.class,
          HashMap.class,
          ArrayList.class,
          HashSet.class,
          ArrayDeque.class);

  /** Tells a class that can be changed after it was made, or of ours that has such a part. */
  private static boolean isMutable(JavaClass type, Set<JavaClass> seen) {
    if (type.getPackageName().startsWith("java.util.concurrent")
        || MUTABLE.stream().anyMatch(type::isAssignableTo)) {
      return true;
    }
    if (!type.getPackageName().startsWith("io.penstock") || type.isEnum() || !seen.add(type)) {
      return false;
    }
    return type.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .anyMatch(
            field ->
                !field.getModifiers().contains(JavaModifier.FINAL)
                    || (!type.isRecord() && field.getRawType().isAssignableTo(Map.class))
                    || isMutable(field.getRawType(), seen));
  }

  @Test
  void everySettingIsRead() {
    List<String> unread =
        CLASSES.stream()
            .flatMap(type -> type.getFields().stream())
            .filter(field -> field.getRawType().isEquivalentTo(ConfigKey.class))
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            .filter(HouseTest::isOnlyDeclared)
            .map(JavaField::getFullName)
            .toList();
    assertThat(unread).as("keys that are declared, and that no code reads").isEmpty();
  }

  /** Returns true if only initializers use the field: those of its class and of lists of keys. */
  private static boolean isOnlyDeclared(JavaField field) {
    return field.getAccessesToSelf().stream()
        .map(JavaAccess::getOrigin)
        .allMatch(
            user ->
                user instanceof JavaStaticInitializer
                    || user.getOwner().isAssignableTo(KeySource.class));
  }

  /** Classes whose static initializer fills a collection, which nothing changes afterwards. */
  private static final Set<String> CONSTANTS =
      Set.of(
          "analyze.accesslog.StructuredParser",
          "analyze.request.S3Api",
          "analyze.requestlog.AttemptOutcome",
          "analyze.requestlog.RequestLogParser",
          "doctor.spark.S3aNames");

  @Test
  void noStaticFieldIsACollectionThatGrows() {
    List<String> filling =
        CLASSES.stream()
            .filter(type -> !type.getPackageName().startsWith("io.penstock." + BENCH.name()))
            .filter(type -> type.getStaticInitializer().filter(HouseTest::makesState).isPresent())
            .map(type -> type.getFullName().replace("io.penstock.", ""))
            .toList();
    assertThat(filling).containsExactlyInAnyOrderElementsOf(CONSTANTS);
  }

  /** Tells an initializer that makes a collection which can be changed. */
  private static boolean makesState(JavaStaticInitializer initializer) {
    return initializer.getConstructorCallsFromSelf().stream()
            .map(JavaAccess::getTargetOwner)
            .anyMatch(
                type ->
                    (type.isAssignableTo(Map.class) || type.isAssignableTo(Collection.class))
                        && !type.isAssignableTo(EnumMap.class))
        || initializer.getMethodCallsFromSelf().stream()
            .anyMatch(
                call ->
                    call.getTargetOwner().isEquivalentTo(Collections.class)
                        && call.getName().matches("synchronized.*|newSetFromMap"));
  }

  /** The layers that a request passes, and what they decide with. */
  private static final String[] LAYERS = {
    "io.penstock.core.request..",
    "io.penstock.core.retry..",
    "io.penstock.core.rate..",
    "io.penstock.core.hedge..",
    "io.penstock.core.deadline.."
  };

  @Test
  void theLayersOfARequestKnowNoStore() {
    noClasses()
        .that()
        .resideInAnyPackage(LAYERS)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectStore.class)
        .because("the same chain serves a store, an HTTP client and a simulation")
        .check(CLASSES);
  }

  @Test
  void theLayersOfARequestAskNoThreadForWhomTheyWork() {
    noClasses()
        .that()
        .resideInAnyPackage(LAYERS)
        .should()
        .accessTargetWhere(isOf(Caller.class, "current"))
        .orShould()
        .accessTargetWhere(isOf(Attempt.class, "current"))
        .because("the store looks once for each request, and the context says it from there on")
        .check(CLASSES);
  }

  @Test
  void theStoreKnowsNoFormatOfFiles() {
    noClasses()
        .that()
        .resideInAnyPackage(module("core"), module("s3"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.penstock.hadoop.parquet..")
        .orShould()
        .haveNameMatching(".*(Parquet|RowGroup|Orc|Avro).*")
        .because("a reader of the format says what it will want next")
        .check(CLASSES);
  }

  @Test
  void whatMountedFilesystemsNeedCanBeLiftedOut() {
    String mounts = "io.penstock.hadoop.mount..";
    String probes = "io.penstock.spark.checkpoint.mount..";
    noClasses()
        .that()
        .resideOutsideOfPackages(mounts, probes)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(mounts)
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage(probes)
        .and()
        .doNotHaveFullyQualifiedName("io.penstock.spark.checkpoint.QueryFiles")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(probes)
        .check(CLASSES);
  }

  @Test
  void onlyWhatOthersStartTakesTheEngineOfTheProcess() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.penstock.hadoop.PenstockFileSystem")
        .and()
        .doNotHaveFullyQualifiedName("io.penstock.spark.PenstockPlugin")
        .and()
        .doNotHaveFullyQualifiedName("io.penstock.sdk.PenstockHttpClient")
        .and()
        .doNotHaveFullyQualifiedName("io.penstock.sdk.PacingInterceptor")
        .and()
        .doNotHaveFullyQualifiedName("io.penstock.spark.checkpoint.QueryFiles")
        .and()
        .resideOutsideOfPackages(
            "io.penstock.cli.store..", module("analyzespark"), module(BENCH.name()))
        .should()
        .accessTargetWhere(isOf(Engine.class, "process"))
        .because("what opens a store is given its engine, so that a test can make its own")
        .check(CLASSES);
  }

  @Test
  void onlyCommandsPrintAndExit() {
    noClasses()
        .that()
        .resideOutsideOfPackages(module("cli"), module(BENCH.name()))
        // The demo's job is a program of its own, which talks with the command that started it.
        .and()
        .resideOutsideOfPackage("io.penstock.spark.demo..")
        // What a JVM prints as errors is kept with its log.
        .and()
        .resideOutsideOfPackage("io.penstock.spark.logs..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(CLASSES);
  }

  @Test
  void noPackageIsADrawer() {
    noClasses()
        .should()
        .resideInAnyPackage("..util..", "..common..", "..helper..", "..impl..", "..misc..")
        .check(CLASSES);
  }
}
