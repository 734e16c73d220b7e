/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.start;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The two jars of this installation, which are in one directory. */
public final class Jars {
  /** The system property that names the directory when the classes come from elsewhere. */
  static final String DIRECTORY = "penstock.jars";

  private static final String CLI = "penstock-cli.jar";

  private Jars() {}

  /** Returns penstock-cli.jar, the jar of the commands. */
  public static Optional<Path> cli() {
    return named(CLI);
  }

  /** Returns penstock-spark.jar, the jar for the class path of Spark. */
  public static Optional<Path> spark() {
    return named("penstock-spark.jar");
  }

  private static Optional<Path> named(String name) {
    return directory().map(directory -> directory.resolve(name)).filter(Files::isRegularFile);
  }

  private static Optional<Path> directory() {
    String named = System.getProperty(DIRECTORY);
    if (named != null) {
      return Optional.of(Path.of(named));
    }
    Path code = code();
    return code.endsWith(CLI) ? Optional.of(code.getParent()) : Optional.empty();
  }

  /** Returns the jar or the directory that this class was loaded from. */
  private static Path code() {
    try {
      return Path.of(Jars.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
