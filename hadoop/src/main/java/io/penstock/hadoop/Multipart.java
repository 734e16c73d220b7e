/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.hadoop.tree.Failures;
import io.penstock.hadoop.tree.Paths;
import io.penstock.hadoop.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.BBPartHandle;
import org.apache.hadoop.fs.BBUploadHandle;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PartHandle;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.UploadHandle;
import org.apache.hadoop.fs.impl.AbstractMultipartUploader;
import org.apache.hadoop.fs.impl.MultipartUploaderBuilderImpl;
import org.apache.hadoop.fs.statistics.IOStatistics;

/** Hadoop's interface to multipart uploads, for tools in which many writers write one file. */
final class Multipart extends AbstractMultipartUploader {
  private final PenstockFileSystem fs;

  private Multipart(PenstockFileSystem fs, Path base) {
    super(base);
    this.fs = fs;
  }

  /** Builds uploaders for paths under a base. */
  static final class Builder extends MultipartUploaderBuilderImpl<Multipart, Builder> {
    private final PenstockFileSystem fs;
    private final Path base;

    Builder(PenstockFileSystem fs, Path base) {
      super(fs, base);
      this.fs = fs;
      this.base = base;
    }

    @Override
    public Builder getThisBuilder() {
      return this;
    }

    @Override
    public Multipart build() {
      return new Multipart(fs, base);
    }
  }

  @FunctionalInterface
  private interface Step<T> {
    T run(ObjectStore store) throws IOException;
  }

  /** Runs the step and puts its failure into the future, as the interface requires. */
  private <T> CompletableFuture<T> step(Path path, Step<T> step) {
    CompletableFuture<T> done = new CompletableFuture<>();
    try {
      done.complete(step.run(fs.store()));
    } catch (StoreException e) {
      boolean gone = e.kind() == Kind.NO_SUCH_UPLOAD;
      done.completeExceptionally(
          gone
              ? new FileNotFoundException(e.getMessage())
              : Failures.translate(path.toString(), e));
    } catch (IOException e) {
      done.completeExceptionally(e);
    }
    return done;
  }

  @Override
  public CompletableFuture<UploadHandle> startUpload(Path path) {
    checkPath(path);
    return step(
        path, store -> handle(store.createUpload(fs.at(path).published().key()).uploadId()));
  }

  @Override
  public CompletableFuture<PartHandle> putPart(
      UploadHandle upload, int number, boolean last, Path path, InputStream in, long length) {
    checkPutArguments(path, in, number, upload, length);
    checkUploadId(upload.toByteArray());
    return step(
        path,
        store -> {
          byte[] bytes;
          try (in) {
            bytes = in.readNBytes(Math.toIntExact(length));
          }
          if (bytes.length != length) {
            throw new IOException(
                "part %d of %s ended after %d of %d bytes"
                    .formatted(number, path, bytes.length, length));
          }
          Part part = store.uploadPart(upload(path, upload), number, Body.ofBytes(bytes));
          String text = part.sizeBytes() + " " + part.etag();
          return BBPartHandle.from(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        });
  }

  @Override
  public CompletableFuture<PathHandle> complete(
      UploadHandle upload, Path path, Map<Integer, PartHandle> handles) {
    checkPath(path);
    checkUploadId(upload.toByteArray());
    checkPartHandles(handles);
    List<Part> parts =
        new TreeMap<>(handles)
            .entrySet().stream().map(entry -> part(entry.getKey(), entry.getValue())).toList();
    return step(
        path,
        store -> {
          refuseDirectory(path);
          PendingUpload pending = new PendingUpload(upload(path, upload), parts);
          String etag = store.completeUpload(pending, Condition.NONE);
          byte[] bytes = etag.getBytes(StandardCharsets.UTF_8);
          return (PathHandle) () -> ByteBuffer.wrap(bytes);
        });
  }

  @Override
  public CompletableFuture<Void> abort(UploadHandle upload, Path path) {
    checkPath(path);
    checkUploadId(upload.toByteArray());
    return step(
        path,
        store -> {
          // Stores differ when the upload to abort does not exist. The interface requires a
          // failure.
          Upload aborted = upload(path, upload);
          boolean known =
              store.listUploads(aborted.key(), Optional.empty()).uploads().stream()
                  .anyMatch(listed -> listed.upload().equals(aborted));
          if (!known) {
            throw new FileNotFoundException("no such upload of " + path);
          }
          store.abortUpload(aborted);
          return null;
        });
  }

  @Override
  public CompletableFuture<Integer> abortUploadsUnderPath(Path path) {
    return step(
        path,
        store -> {
          String key = fs.at(path).published().key();
          int aborted = 0;
          // Lists by the key without a slash, because an upload of the path itself counts too. The
          // check below excludes keys such as t2 when the path is t.
          for (UploadsPage.Listed listed : Keys.uploads(store, key)) {
            String found = listed.upload().key();
            if (found.equals(key) || found.startsWith(Paths.inside(key))) {
              store.abortUpload(listed.upload());
              aborted++;
            }
          }
          return aborted;
        });
  }

  private void refuseDirectory(Path path) throws IOException {
    if (fs.at(path).find().filter(Tree.Node::isDirectory).isPresent()) {
      throw new FileAlreadyExistsException(path + " is a directory");
    }
  }

  private Upload upload(Path path, UploadHandle handle) throws IOException {
    return new Upload(
        fs.at(path).published().key(), new String(handle.toByteArray(), StandardCharsets.UTF_8));
  }

  private static UploadHandle handle(String uploadId) {
    return BBUploadHandle.from(ByteBuffer.wrap(uploadId.getBytes(StandardCharsets.UTF_8)));
  }

  private static Part part(int number, PartHandle handle) {
    String text = new String(handle.toByteArray(), StandardCharsets.UTF_8);
    int space = text.indexOf(' ');
    return new Part(number, text.substring(space + 1), Long.parseLong(text.substring(0, space)));
  }

  @Override
  public IOStatistics getIOStatistics() {
    return null;
  }
}
