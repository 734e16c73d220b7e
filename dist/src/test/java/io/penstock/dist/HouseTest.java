/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.penstock.core.time.SystemTime;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The house: which module may know which, and which outside world stands where. */
class HouseTest {
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("penstock-spark.jar"))
          .withImportOption(location -> !location.contains("/shaded/"))
          .importPackages("io.penstock");

  private static final String[] JDK = {"java..", "javax..", "org.slf4j.."};

  private static String module(String name) {
    return "io.penstock." + name + "..";
  }

  /** A module knows the JDK, slf4j, itself, and what is listed. */
  private static void knowsOnly(String module, String... others) {
    String[] allowed = new String[JDK.length + others.length + 1];
    System.arraycopy(JDK, 0, allowed, 0, JDK.length);
    System.arraycopy(others, 0, allowed, JDK.length, others.length);
    allowed[allowed.length - 1] = module(module);
    // Classes that cannot be found (arrays of primitives, annotations of tools) have no package.
    DescribedPredicate<JavaClass> known = resideInAnyPackage(allowed).or(resideInAPackage(""));
    ArchRule rule =
        classes().that().resideInAPackage(module(module)).should().onlyDependOnClassesThat(known);
    rule.check(HOUSE);
  }

  @Test
  void coreKnowsNoOutsideWorld() {
    knowsOnly("core", "org.HdrHistogram..");
  }

  @Test
  void theSdkStandsInS3Alone() {
    knowsOnly("s3", module("core"), "software.amazon.awssdk..", "org.apache.hc..");
  }

  @Test
  void theSimulatorKnowsOnlyCore() {
    knowsOnly("sim", module("core"));
  }

  @Test
  void insightKnowsOnlyCoreJsonDuckDbAndPackings() {
    knowsOnly(
        "insight",
        module("core"),
        "com.fasterxml.jackson.core..",
        "org.duckdb..",
        "com.github.luben.zstd..",
        "net.jpountz..",
        "org.xerial.snappy..",
        "com.ning.compress..");
  }

  @Test
  void theFileSystemKnowsHadoopAndNoSparkAndNoSdk() {
    knowsOnly("hadoop", module("core"), "org.apache.hadoop..");
  }

  @Test
  void sparkStandsInSparkAlone() {
    knowsOnly(
        "spark",
        module("core"),
        module("hadoop"),
        "org.apache.hadoop..",
        "org.apache.spark..",
        "scala..",
        "com.codahale.metrics..");
  }

  @Test
  void theAnalysesOnSparkKnowInsightSparkAndHadoopsPaths() {
    knowsOnly(
        "insightspark",
        module("core"),
        module("insight"),
        "org.apache.spark..",
        "org.apache.hadoop.conf..",
        "org.apache.hadoop.fs..",
        "scala..");
  }

  @Test
  void theCommandsKnowTheSimulatorTheStoreAndInsightAndNoSpark() {
    knowsOnly("cli", module("core"), module("sim"), module("s3"), module("insight"), "picocli..");
  }

  @Test
  void noPackageIsPartOfACycle() {
    slices().matching("io.penstock.(*).(**)").should().beFreeOfCycles().check(HOUSE);
  }

  @Test
  void timeAndChanceAreReadInOnePlace() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(SystemTime.class)
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callConstructor(Random.class)
        .because("time and chance are passed in, so that tests and the simulator own them")
        .check(HOUSE);
  }

  @Test
  void onlyCommandsPrintAndExit() {
    noClasses()
        .that()
        .resideOutsideOfPackage(module("cli"))
        // The demo's job is a program of its own, which talks with the command that started it.
        .and()
        .resideOutsideOfPackage("io.penstock.spark.demo..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(HOUSE);
  }

  @Test
  void noPackageIsADrawer() {
    noClasses()
        .should()
        .resideInAnyPackage("..util..", "..common..", "..helper..", "..impl..", "..misc..")
        .check(HOUSE);
  }
}
