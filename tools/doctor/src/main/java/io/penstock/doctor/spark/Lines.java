/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the lines of a table in the resources of this package. */
final class Lines {
  private Lines() {}

  static List<String> of(String resource) {
    try (InputStream in = Lines.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }
}
