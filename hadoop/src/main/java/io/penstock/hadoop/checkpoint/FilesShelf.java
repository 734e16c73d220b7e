/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.checkpoint;

import io.penstock.core.checkpoint.Claims;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;

/** The claims of a checkpoint, stored with the checkpoint's own files. */
public final class FilesShelf implements Claims.Shelf {
  private static final int LONGEST_CLAIM = 4096;

  private final CheckpointFiles files;
  private final Path directory;

  /**
   * @param location the checkpoint's location
   */
  public FilesShelf(CheckpointFiles files, Path location) {
    this.files = files;
    this.directory = new Path(location, Claims.DIRECTORY);
  }

  @Override
  public List<String> names() throws IOException {
    return files.list(directory).stream().map(status -> status.getPath().getName()).toList();
  }

  @Override
  public boolean create(String name, byte[] content) throws IOException {
    files.mkdirs(directory);
    AtomicOutput output = files.create(new Path(directory, name), false);
    try {
      output.write(content);
      output.close();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      output.cancel();
    }
  }

  @Override
  public Optional<byte[]> read(String name) throws IOException {
    return files.read(new Path(directory, name), LONGEST_CLAIM);
  }

  @Override
  public void delete(String name) throws IOException {
    files.delete(new Path(directory, name));
  }
}
