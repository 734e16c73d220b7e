/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.upload.UploadConfig.Buffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates the blocks of a file system's uploads, and uses the buffer directories in turn. */
final class Blocks {
  private final Buffers buffers;
  private final Buffer mode;
  private final List<Path> directories;
  private final AtomicInteger next = new AtomicInteger();

  Blocks(UploadConfig config, Buffers buffers) {
    this.buffers = buffers;
    this.mode = config.buffer();
    String names = config.directories().orElse(System.getProperty("java.io.tmpdir"));
    this.directories = Arrays.stream(names.split(",")).map(String::trim).map(Path::of).toList();
  }

  Buffers buffers() {
    return buffers;
  }

  /**
   * Creates an empty block.
   *
   * @param object the object that the part belongs to, for messages
   * @param maxBytes the largest size of the part
   */
  Block create(String object, long maxBytes) {
    Path directory = directories.get(Math.floorMod(next.getAndIncrement(), directories.size()));
    return new Block(buffers, mode, directory, object, maxBytes);
  }
}
