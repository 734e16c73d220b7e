/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.bytes.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Loads the parts that every page contains: the style sheet, our script, and ECharts with its
 * licence.
 */
final class Assets {
  private Assets() {}

  static String style() {
    return read("report.css");
  }

  static String script() {
    return read("report.js");
  }

  /** Returns ECharts. The build takes the file out of its jar; see the pom. */
  static String echarts() {
    return read("echarts/echarts.min.js");
  }

  static String licences() {
    return String.join(
        "\n\n",
        read("echarts/NOTICE").strip(),
        read("echarts/LICENSE").strip(),
        read("echarts/LICENSE-d3").strip(),
        read("LICENSE-zrender").strip());
  }

  /** Returns the hash source by which a content security policy allows an inline block. */
  static String hash(String block) {
    byte[] digest = Sha256.of(block.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }

  private static String read(String name) {
    try (InputStream in = Assets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar has no " + name);
      }
      // The line ends are LF, because a browser converts CR LF to LF before it hashes the block.
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name + " from the jar", e);
    }
  }
}
