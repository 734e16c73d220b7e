/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.start;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** A copy of a jar that is not compressed, which the JVM reads faster. */
final class PlainJar {
  private PlainJar() {}

  /**
   * Copies the jar. With a library, the copy has the library of no machine, and that of this
   * machine is unpacked into a directory if the jar has it.
   */
  static void write(Path jar, Path copy, Optional<NativeLibrary> library, Path unpacked)
      throws IOException {
    requireSpace(jar, unpacked);
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar));
        ZipOutputStream out =
            new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(copy)))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        String name = entry.getName();
        if (library.isPresent() && name.startsWith(NativeLibrary.PREFIX)) {
          if (name.equals(library.get().entry())) {
            Files.copy(in, unpacked.resolve(library.get().file()));
          }
        } else if (!entry.isDirectory()) {
          store(name, in, out);
        }
      }
    }
  }

  /** Fails at once where a copy would fill the disk. */
  private static void requireSpace(Path jar, Path directory) throws IOException {
    // Measured: a wheel's jar of 52 MB becomes 154 MB. The jar of a clone has the libraries of all
    // machines, and becomes no larger than that.
    long neededBytes = 3 * Files.size(jar);
    long freeBytes = Files.getFileStore(directory).getUsableSpace();
    if (freeBytes < neededBytes) {
      throw new IOException(
          "%d MB are free, %d MB are needed".formatted(freeBytes >> 20, neededBytes >> 20));
    }
  }

  private static void store(String name, InputStream in, ZipOutputStream out) throws IOException {
    byte[] bytes = in.readAllBytes();
    CRC32 sum = new CRC32();
    sum.update(bytes);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(sum.getValue());
    entry.setTime(0);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
