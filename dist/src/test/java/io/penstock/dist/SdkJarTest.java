/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar that goes beside S3A or another client, and runs on that client's AWS SDK. */
class SdkJarTest {
  private static final String[] FACTORIES = {
    "io/penstock/sdk/S3AClientFactory.class", "io/penstock/sdk/IcebergClientFactory.class"
  };
  private static final Path JAR = Path.of("target/penstock-sdk.jar");

  @Test
  void itIsSmallAndBringsNoSdk() throws IOException {
    assertThat(Files.size(JAR)).isLessThan(2_000_000);
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> names = jar.stream().map(ZipEntry::getName).toList();
      assertThat(names)
          .filteredOn(name -> name.endsWith(".class"))
          .allMatch(
              name ->
                  name.startsWith("io/penstock/sdk/")
                      || name.startsWith("io/penstock/core/")
                      || name.startsWith("io/penstock/shaded/hdrhistogram/"));
      assertThat(names).contains("META-INF/LICENSE", "META-INF/NOTICE");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"penstock-sdk.jar", "penstock-spark.jar"})
  void itsClassesNameTheSdkOfTheUser(String name) throws IOException {
    try (JarFile jar = new JarFile("target/" + name)) {
      List<ZipEntry> classes =
          jar.stream()
              .map(ZipEntry.class::cast)
              .filter(entry -> entry.getName().startsWith("io/penstock/sdk/"))
              .filter(entry -> entry.getName().endsWith(".class"))
              .toList();
      assertThat(classes).extracting(ZipEntry::getName).contains(FACTORIES);
      StringBuilder all = new StringBuilder();
      for (ZipEntry each : classes) {
        all.append(
            new String(jar.getInputStream(each).readAllBytes(), StandardCharsets.ISO_8859_1));
      }
      assertThat(all.toString())
          .contains("software/amazon/awssdk/http/SdkHttpClient")
          .doesNotContain("io/penstock/shaded/amazon");
    }
  }

  @Test
  void theCommandsHaveNoneOfIt() throws IOException {
    try (JarFile jar = new JarFile("target/penstock-cli.jar")) {
      assertThat(jar.stream().map(ZipEntry::getName)).noneMatch(n -> n.contains("penstock/sdk/"));
    }
  }
}
