/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.Body;
import io.penstock.core.store.memory.Blobs;
import io.penstock.core.store.meta.UserMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps each blob in its own file. Deletes no file before its {@link Step} ends. */
final class FileBlobs implements Blobs {
  private static final ThreadLocal<Step> CURRENT = new ThreadLocal<>();

  private final Path directory;
  private final AtomicLong nextNumber;

  /** A file, and the number of its bytes that belong to the body. */
  record FileBody(Path file, long sizeBytes, UserMetadata user) implements Body {
    FileBody(Path file, long sizeBytes) {
      this(file, sizeBytes, UserMetadata.NONE);
    }

    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(file);
    }
  }

  /** The files that one call of one thread wrote, and the files that it made useless. */
  static final class Step implements AutoCloseable {
    private final List<FileBody> written = new ArrayList<>();
    private final List<Path> useless = new ArrayList<>();
    private boolean isDone;

    List<FileBody> written() {
      return written;
    }

    /** Marks the step as successful: the written files are kept. */
    void done() {
      isDone = true;
    }

    @Override
    public void close() {
      CURRENT.remove();
      if (!isDone) {
        written.forEach(body -> useless.add(body.file()));
      }
      for (Path file : useless) {
        try {
          Files.deleteIfExists(file);
        } catch (IOException e) {
          throw new UncheckedIOException("cannot delete " + file, e);
        }
      }
    }
  }

  FileBlobs(Path directory, long firstNumber) {
    this.directory = directory;
    this.nextNumber = new AtomicLong(firstNumber);
  }

  Step step() {
    Step step = new Step();
    CURRENT.set(step);
    return step;
  }

  @Override
  public Blob write(Body body) throws IOException {
    FileBody kept = body instanceof FileBody there ? there : copied(body);
    CURRENT.get().written.add(kept);
    return new FileBlob(kept);
  }

  private FileBody copied(Body body) throws IOException {
    Path file = directory.resolve(Long.toString(nextNumber.getAndIncrement()));
    try (InputStream in = body.open()) {
      long size = Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      if (size != body.sizeBytes()) {
        throw new IOException("body ended after %d of %d bytes".formatted(size, body.sizeBytes()));
      }
      return new FileBody(file, size);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  private static final class FileBlob implements Blob {
    private final FileBody body;

    FileBlob(FileBody body) {
      this.body = body;
    }

    @Override
    public long sizeBytes() {
      return body.sizeBytes();
    }

    @Override
    public void read(long offset, byte[] into, int at, int length) throws IOException {
      try (FileChannel channel = FileChannel.open(body.file(), StandardOpenOption.READ)) {
        ByteBuffer buffer = ByteBuffer.wrap(into, at, length);
        while (buffer.hasRemaining()) {
          int count = channel.read(buffer, offset + buffer.position() - at);
          if (count < 0) {
            throw new IOException(body.file() + " is shorter than the " + sizeBytes() + " it had");
          }
        }
      }
    }

    @Override
    public void discard() {
      CURRENT.get().useless.add(body.file());
    }
  }
}
