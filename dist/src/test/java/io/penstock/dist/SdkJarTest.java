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

/** The jar that goes beside S3A or another client, and runs on that client's AWS SDK. */
class SdkJarTest {
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

  @Test
  void itsClassesNameTheSdkOfTheUser() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      for (String name : List.of("PenstockHttpClient", "S3AClientFactory")) {
        byte[] code =
            jar.getInputStream(jar.getEntry("io/penstock/sdk/" + name + ".class")).readAllBytes();
        assertThat(new String(code, StandardCharsets.ISO_8859_1))
            .contains("software/amazon/awssdk/")
            .doesNotContain("io/penstock/shaded/amazon");
      }
    }
  }

  @Test
  void theOtherJarsHaveNoneOfIt() throws IOException {
    for (String other : List.of("penstock-spark.jar", "penstock-cli.jar")) {
      try (JarFile jar = new JarFile("target/" + other)) {
        assertThat(jar.stream().map(ZipEntry::getName)).noneMatch(n -> n.contains("penstock/sdk/"));
      }
    }
  }
}
