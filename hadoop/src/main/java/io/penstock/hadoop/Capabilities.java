/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import java.util.Locale;
import java.util.Set;

/**
 * The capabilities that the file system reports to Hadoop. The names are literals because older
 * Hadoop versions lack some of the constants.
 */
final class Capabilities {
  private static final Set<String> NAMES =
      Set.of(
          "fs.capability.paths.append",
          "fs.capability.etags.available",
          "fs.capability.etags.preserved.in.rename.never",
          "fs.capability.multipart.uploader",
          "fs.capability.outputstream.abortable",
          "fs.capability.directory.listing.inconsistent.never",
          "fs.capability.virtual.block.locations",
          "fs.option.create.conditional.overwrite");

  private Capabilities() {}

  /** Returns whether every path has this capability, by its name in any case. */
  static boolean has(String capability) {
    return NAMES.contains(capability.toLowerCase(Locale.ROOT));
  }
}
