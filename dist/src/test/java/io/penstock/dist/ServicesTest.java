/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The services in each jar that people run. A class that has moved breaks them only there. */
class ServicesTest {
  private static final String FOLDER = "META-INF/services/io.penstock.";

  @ParameterizedTest
  @ValueSource(strings = {"penstock-spark.jar", "penstock-cli.jar"})
  void theInterfaceAndTheClassesOfEachServiceAreInside(String name) throws IOException {
    try (ZipFile jar = new ZipFile(Path.of("target", name).toFile())) {
      List<? extends ZipEntry> services =
          jar.stream().filter(entry -> entry.getName().startsWith(FOLDER)).toList();
      assertThat(services).isNotEmpty();
      for (ZipEntry service : services) {
        String type = service.getName().substring("META-INF/services/".length());
        assertThat(jar.getEntry(fileOf(type))).as("the interface %s", type).isNotNull();
        String classes = new String(jar.getInputStream(service).readAllBytes(), UTF_8);
        assertThat(
                classes.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList())
            .as(type)
            .isNotEmpty()
            .allSatisfy(one -> assertThat(jar.getEntry(fileOf(one))).as(one).isNotNull());
      }
    }
  }

  private static String fileOf(String type) {
    return type.replace('.', '/') + ".class";
  }
}
