/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.golden;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Messages and objects as a version of Penstock writes them, kept in files. A format that changes
 * without a new version fails its test; a new version gets a new file, and the old one stays for as
 * long as it must be readable.
 *
 * <p>{@code -Dpenstock.golden.update=true} writes the files that are not there yet.
 */
public final class Golden {
  private static final Path FILES = Path.of("src", "test", "resources", "golden");

  private Golden() {}

  /**
   * Returns the bytes of the file, after a comparison with those that are written now.
   *
   * @param name of the file, with the version of the format
   */
  public static byte[] bytes(String name, byte[] written) throws IOException {
    String hex = HexFormat.of().formatHex(written).replaceAll(".{64}", "$0\n").strip() + "\n";
    return HexFormat.of().parseHex(text(name + ".hex", hex).replaceAll("\\s", ""));
  }

  /** Returns the text of the file, after a comparison with the one that is written now. */
  public static String text(String name, String written) throws IOException {
    Path file = FILES.resolve(name);
    if (Boolean.getBoolean("penstock.golden.update") && !Files.exists(file)) {
      Files.createDirectories(FILES);
      Files.writeString(file, written, UTF_8);
    }
    String kept = Files.readString(file, UTF_8);
    assertThat(written).as("%s; a changed format needs a new version", file).isEqualTo(kept);
    return kept;
  }
}
