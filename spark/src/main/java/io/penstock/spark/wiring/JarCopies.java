/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.spark.wiring;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds other copies of Penstock's jar on the class path, such as an older version. */
final class JarCopies {
  private static final Logger LOG = LoggerFactory.getLogger("io.penstock.spark.PenstockPlugin");

  private JarCopies() {}

  /**
   * Returns a warning if the class path has jars with this class that differ; empty otherwise. A
   * second copy of the same jar does no harm.
   *
   * @param resource the class, as the name of a resource
   * @param loader sees all jars of the application; null if there is none, as where Spark is
   *     embedded
   */
  static Optional<String> warning(String resource, ClassLoader loader) {
    if (loader == null) {
      return Optional.empty();
    }
    try {
      List<Path> jars = new ArrayList<>();
      for (URL url : Collections.list(loader.getResources(resource))) {
        jar(url).filter(jar -> !jars.contains(jar)).ifPresent(jars::add);
      }
      for (int i = 1; i < jars.size(); i++) {
        if (Files.mismatch(jars.get(0), jars.get(i)) >= 0) {
          String all = jars.stream().map(Path::toString).collect(Collectors.joining(", "));
          return Optional.of(
              "the class path has different versions of Penstock: "
                  + all
                  + ". The first one is used; remove the others");
        }
      }
    } catch (IOException e) {
      LOG.debug("The jars of the class path could not be compared", e);
    }
    return Optional.empty();
  }

  /** Returns the jar that the class is in; empty if it is in no file that is a jar. */
  private static Optional<Path> jar(URL url) throws IOException {
    if (!(url.openConnection() instanceof JarURLConnection connection)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(connection.getJarFileURL().toURI()).toRealPath());
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
      return Optional.empty();
    }
  }
}
