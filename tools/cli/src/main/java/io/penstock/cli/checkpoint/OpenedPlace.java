/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.cli.checkpoint;

import io.penstock.checkpoints.place.BucketFiles;
import io.penstock.checkpoints.place.CheckpointPlace;
import io.penstock.checkpoints.place.DirectoryFiles;
import io.penstock.cli.store.StoreOptions;
import io.penstock.cli.store.ThisProcess;
import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.keys.BucketNames;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An opened place that a PATH of the command line names.
 *
 * @param pool executor for parallel requests
 */
record OpenedPlace(CheckpointPlace files, Executor pool, AutoCloseable store)
    implements AutoCloseable {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)");
  private static final Pattern BUCKET = Pattern.compile("//([^/]+)/*(.*?)/*");

  /**
   * Opens a path. Sends no request to a bucket.
   *
   * @throws IllegalArgumentException when the path names nothing that can be read
   */
  static OpenedPlace open(String path, StoreOptions options) throws IOException {
    Matcher scheme = SCHEME.matcher(path);
    if (!scheme.matches()) {
      return directory(Path.of(path), options);
    }
    return switch (scheme.group(1).toLowerCase(Locale.ROOT)) {
      case "s3", "s3a" -> bucket(path, scheme.group(2), options);
      case "file" -> directory(local(path), options);
      default ->
          throw new IllegalArgumentException(
              path + ": only s3://, s3a:// and file: can be looked at, and directories");
    };
  }

  private static OpenedPlace bucket(String path, String rest, StoreOptions options)
      throws IOException {
    Matcher parts = BUCKET.matcher(rest);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          BucketNames.shown(path) + " names no bucket; write s3://BUCKET/PREFIX");
    }
    StoreStack stack = options.open(BucketNames.checked(parts.group(1)));
    return new OpenedPlace(new BucketFiles(stack.store(), parts.group(2)), stack.pool(), stack);
  }

  private static Path local(String path) {
    try {
      String text = URI.create(path).getPath();
      if (text != null) {
        return Path.of(text);
      }
    } catch (IllegalArgumentException e) {
      // The URI is not valid, for example because of a space: use the path as it is.
    }
    return Path.of(path.substring("file:".length()).replaceFirst("^/+", "/"));
  }

  private static OpenedPlace directory(Path path, StoreOptions options) throws IOException {
    if (!Files.isDirectory(path)) {
      throw new IllegalArgumentException(
          path
              + (Files.exists(path) ? " is not a directory" : ": no such directory")
              + "; write s3://BUCKET/PREFIX for a bucket");
    }
    return new OpenedPlace(
        new DirectoryFiles(path), ThisProcess.engine().pool(options.settings()), () -> {});
  }

  @Override
  public void close() throws IOException {
    files.close();
    try {
      store.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
