/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.start;

import java.util.Locale;
import java.util.Optional;

/**
 * DuckDB's library for one kind of machine.
 *
 * @param entry the name in the jar
 * @param file the name under which the JVM looks for it
 */
record NativeLibrary(String entry, String file) {
  /** The name that the libraries of all machines begin with. */
  static final String PREFIX = "libduckdb_java.";

  /** Returns the library for the machine that runs this; empty if the JVM looks for no file. */
  static Optional<NativeLibrary> ofThisMachine() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static Optional<NativeLibrary> of(String system, String machine) {
    String processor =
        switch (machine.toLowerCase(Locale.ROOT)) {
          case "aarch64", "arm64" -> "arm64";
          case "x86_64", "amd64" -> "amd64";
          default -> machine;
        };
    if (system.equals("Linux")) {
      return Optional.of(new NativeLibrary(PREFIX + "so_linux_" + processor, "libduckdb_java.so"));
    }
    return system.startsWith("Mac")
        ? Optional.of(new NativeLibrary(PREFIX + "so_macos_" + processor, "libduckdb_java.dylib"))
        : Optional.empty();
  }
}
