/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pieces of the directory from which commands start fast; CI starts them from the whole. */
class FastStartTest {
  @TempDir private Path directory;

  @Test
  void anOptionOfAnArgumentFileKeepsSpacesQuotesAndBackslashes() {
    assertThat(FastStart.quoted("-Dhome=C:\\my \"own\" home"))
        .isEqualTo("\"-Dhome=C:\\\\my \\\"own\\\" home\"");
  }

  @Test
  void eachMachineHasItsLibrary() {
    assertThat(NativeLibrary.of("Linux", "amd64"))
        .contains(new NativeLibrary("libduckdb_java.so_linux_amd64", "libduckdb_java.so"));
    assertThat(NativeLibrary.of("Mac OS X", "aarch64"))
        .contains(new NativeLibrary("libduckdb_java.so_macos_arm64", "libduckdb_java.dylib"));
    assertThat(NativeLibrary.of("Windows 11", "amd64")).isEmpty();
  }

  @Test
  void theLibraryOfTheMachineIsUnpackedAndThoseOfOthersAreLeftOut() throws IOException {
    Path jar = jar("a/A.class", "libduckdb_java.so_linux_amd64", "libduckdb_java.so_linux_arm64");
    Path copy = directory.resolve("copy.jar");
    PlainJar.write(jar, copy, NativeLibrary.of("Linux", "aarch64"), directory);
    assertThat(entries(copy)).containsExactly("a/A.class");
    assertThat(directory.resolve("libduckdb_java.so")).hasContent("libduckdb_java.so_linux_arm64");
    try (ZipFile zip = new ZipFile(copy.toFile())) {
      assertThat(zip.getEntry("a/A.class").getMethod()).isEqualTo(ZipEntry.STORED);
      assertThat(zip.getInputStream(zip.getEntry("a/A.class"))).hasContent("a/A.class");
    }
  }

  @Test
  void whereTheJvmLooksForNoFileTheCopyHasAllLibraries() throws IOException {
    Path jar = jar("a/A.class", "libduckdb_java.so_windows_amd64");
    Path copy = directory.resolve("copy.jar");
    PlainJar.write(jar, copy, Optional.empty(), directory);
    assertThat(entries(copy)).containsExactly("a/A.class", "libduckdb_java.so_windows_amd64");
  }

  private Path jar(String... names) throws IOException {
    Path jar = directory.resolve("all.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream out = new ZipOutputStream(file)) {
      for (String name : names) {
        out.putNextEntry(new ZipEntry(name));
        out.write(name.getBytes(StandardCharsets.UTF_8));
      }
    }
    return jar;
  }

  private static List<String> entries(Path jar) throws IOException {
    List<String> names = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream().map(ZipEntry::getName).forEach(names::add);
    }
    return names;
  }
}
