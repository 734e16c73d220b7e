/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.emulator.s3.EmbeddedS3;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
  void onTheClassPathItPacesAnyProgram(@TempDir Path logs) throws Exception {
    List<URL> classPath = new ArrayList<>();
    classPath.add(JAR.toUri().toURL());
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!each.contains("penstock") || each.endsWith("test-classes")) {
        classPath.add(Path.of(each).toUri().toURL());
      }
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    System.setProperty("penstock.request.log.dir", logs.toString());
    try (EmbeddedS3 s3 = EmbeddedS3.builder().bucket("lake").start();
        URLClassLoader loader =
            new URLClassLoader(
                classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(loader);
      loader
          .loadClass(OwnProgram.class.getName())
          .getMethod("write", URI.class)
          .invoke(null, s3.endpoint());
      assertThat(s3.counts().of("PutObject")).isEqualTo(1);
      assertThat(loggedIn(logs)).contains("\"op\":\"PUT\"").contains("AWS SDK");
    } finally {
      thread.setContextClassLoader(before);
      System.clearProperty("penstock.request.log.dir");
    }
  }

  /** Returns what was logged; the log is written behind. */
  private static String loggedIn(Path directory) throws Exception {
    for (int tries = 0; tries < 200; tries++) {
      StringBuilder all = new StringBuilder();
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          all.append(Files.readString(file));
        }
      }
      if (all.toString().contains("AWS SDK")) {
        return all.toString();
      }
      Thread.sleep(100);
    }
    return "";
  }

  @Test
  void sparksJarLeavesOtherProgramsAlone() throws IOException {
    try (JarFile jar = new JarFile("target/penstock-spark.jar")) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .noneMatch(name -> name.endsWith("execution.interceptors"));
    }
  }

  @Test
  void theCommandsHaveNoneOfIt() throws IOException {
    try (JarFile jar = new JarFile("target/penstock-cli.jar")) {
      assertThat(jar.stream().map(ZipEntry::getName)).noneMatch(n -> n.contains("penstock/sdk/"));
    }
  }
}
