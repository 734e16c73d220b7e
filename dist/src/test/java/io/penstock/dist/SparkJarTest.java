/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What users put on their class path. */
class SparkJarTest {
  private static final Path JAR = Path.of("target/penstock-spark.jar");
  private static final long MIB = 1 << 20;

  @Test
  void itIsUnder20Mib() throws IOException {
    assertThat(Files.size(JAR)).isLessThan(20 * MIB);
  }

  @Test
  void theReadmeStatesItsSize() throws IOException {
    Matcher stated =
        Pattern.compile("one jar of (\\d+) MB").matcher(Files.readString(Path.of("../README.md")));
    assertThat(stated.find()).isTrue();
    // Within 1 MB, so that the test does not change its mind at each half.
    assertThat(Files.size(JAR) / 1e6)
        .isCloseTo(Integer.parseInt(stated.group(1)), Offset.offset(1.0));
  }

  @Test
  void noClassOfItIsOutsideOurPackage() throws IOException {
    assertThat(names())
        .filteredOn(name -> name.endsWith(".class"))
        .hasSizeGreaterThan(1000)
        .allMatch(
            name ->
                name.startsWith("io/penstock/")
                    || name.matches("META-INF/versions/\\d+/io/penstock/.*"));
  }

  @Test
  void itsServicesAreOursHadoopsAndSparks() throws IOException {
    assertThat(names())
        .contains(
            "META-INF/services/io.penstock.core.store.StoreProvider",
            "META-INF/services/org.apache.hadoop.fs.FileSystem",
            "META-INF/services/org.apache.spark.status.AppHistoryServerPlugin");
    assertThat(names())
        .filteredOn(name -> name.startsWith("META-INF/services/") && !name.endsWith("/"))
        .allMatch(
            name ->
                name.startsWith("META-INF/services/io.penstock.")
                    || name.equals("META-INF/services/org.apache.hadoop.fs.FileSystem")
                    || name.equals(
                        "META-INF/services/org.apache.spark.status.AppHistoryServerPlugin"));
  }

  @Test
  void itCarriesTheLicensesOfWhatIsInside() throws IOException {
    assertThat(names()).contains("META-INF/LICENSE", "META-INF/NOTICE");
  }

  private static List<String> names() throws IOException {
    try (ZipFile jar = new ZipFile(JAR.toFile())) {
      return jar.stream().map(ZipEntry::getName).toList();
    }
  }
}
