/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarCopiesTest {
  private static final String NAME = "a/Plugin.class";

  @TempDir private Path directory;
  private Path first;

  @BeforeEach
  void resolveLinks() throws IOException {
    directory = directory.toRealPath();
    first = jar("first.jar", "one");
  }

  private Path jar(String name, String content) throws IOException {
    Path jar = directory.resolve(name);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      ZipEntry entry = new ZipEntry(NAME);
      entry.setTime(0);
      out.putNextEntry(entry);
      out.write(content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    return jar;
  }

  private static String warning(Path... jars) throws IOException {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      return JarCopies.warning(NAME, loader).orElse("");
    }
  }

  @Test
  void twoVersionsAreNamed() throws IOException {
    Path second = jar("second version.jar", "another one");
    assertThat(warning(first, second))
        .isEqualTo(
            "the class path has different versions of Penstock: "
                + first
                + ", "
                + second
                + ". The first one is used; remove the others");
  }

  @Test
  void oneJarInTwoPlacesIsNoProblem() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link.jar"), first);
    assertThat(warning(first, jar("copy.jar", "one"), link)).isEmpty();
  }

  @Test
  void anEmbeddedSparkMayHaveNoLoader() {
    assertThat(JarCopies.warning(NAME, null)).isEmpty();
  }

  @Test
  void aClassOfABuildIsNoJar() throws IOException {
    Path classes = Files.createDirectories(directory.resolve("classes/a"));
    Files.writeString(classes.resolve("Plugin.class"), "two");
    assertThat(warning(first, classes.getParent())).isEmpty();
  }
}
