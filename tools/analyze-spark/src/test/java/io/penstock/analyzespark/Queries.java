/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.analysis.Analyses;
import io.penstock.analyze.analysis.Analysis;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All queries that analyze has in files, whoever runs them. */
final class Queries {
  private static final String ROOT = "io/penstock/analyze";

  private Queries() {}

  static List<Analysis> all() throws IOException {
    Path classes;
    try {
      classes = Path.of(Analyses.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
    if (Files.isDirectory(classes)) {
      return below(classes);
    }
    try (FileSystem jar =
        FileSystems.newFileSystem(URI.create("jar:" + classes.toUri()), Map.of())) {
      return below(jar.getPath("/"));
    }
  }

  private static List<Analysis> below(Path root) throws IOException {
    List<Analysis> queries = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root.resolve(ROOT))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".sql")).sorted().toList()) {
        if (Files.readString(file).contains("\n-- columns: ")) {
          String name = "/" + root.relativize(file).toString().replace('\\', '/');
          queries.add(Analysis.named(Analyses.class, name));
        }
      }
    }
    return queries;
  }
}
