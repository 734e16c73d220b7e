/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.upload.UploadConfig.Buffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the blocks of a file system's uploads, over its buffer directories in turn. */
final class Blocks {
  private final Buffer buffer;
  private final List<Path> directories;
  private final AtomicInteger next = new AtomicInteger();

  Blocks(UploadConfig config) {
    this.buffer = config.buffer();
    String names = config.directories().orElse(System.getProperty("java.io.tmpdir"));
    this.directories = Arrays.stream(names.split(",")).map(String::trim).map(Path::of).toList();
  }

  Block create() {
    if (buffer == Buffer.ARRAY) {
      return new ArrayBlock();
    }
    return new DiskBlock(
        directories.get(Math.floorMod(next.getAndIncrement(), directories.size())));
  }
}
