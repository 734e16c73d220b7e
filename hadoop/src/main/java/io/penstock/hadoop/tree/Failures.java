/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.read.ObjectChangedException;
import io.penstock.core.store.StoreException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathPermissionException;

/**
 * Turns our failures into the exceptions that Hadoop and Spark expect. No other class does this.
 */
public final class Failures {
  private Failures() {}

  /** A step that may fail with a failure of the store. */
  public interface Step<T> {
    T run() throws IOException;
  }

  /** Runs the step and translates its failure into Hadoop's exception. */
  public static <T> T translated(Path path, Step<T> step) throws IOException {
    try {
      return step.run();
    } catch (IOException e) {
      throw translate(path.toString(), e);
    }
  }

  /**
   * Returns Hadoop's exception for the failure, with the same message and the failure as its cause.
   * A missing bucket is not reported as a missing file: a job would treat it as an empty input and
   * continue without data.
   *
   * @return a FileNotFoundException for NO_SUCH_KEY; Hadoop's FileAlreadyExistsException for
   *     PRECONDITION_FAILED and CONFLICT; an EOFException for RANGE_NOT_SATISFIABLE; a
   *     ParentNotDirectoryException for PARENT_IS_OBJECT; a PathPermissionException for
   *     ACCESS_DENIED; a PathIOException for every other kind and for an object that was
   *     overwritten while it was read; the failure itself if it is of another type
   */
  public static IOException translate(String path, IOException failure) {
    if (failure instanceof ObjectChangedException) {
      return new RequestFailure(path, failure);
    }
    if (!(failure instanceof StoreException store)) {
      return failure;
    }
    return switch (store.kind()) {
      case NO_SUCH_KEY -> with(new FileNotFoundException(store.getMessage()), store);
      case PRECONDITION_FAILED, CONFLICT ->
          with(new FileAlreadyExistsException(store.getMessage()), store);
      case RANGE_NOT_SATISFIABLE -> with(new EOFException(store.getMessage()), store);
      case PARENT_IS_OBJECT -> with(new ParentNotDirectoryException(store.getMessage()), store);
      case ACCESS_DENIED -> with(new PathPermissionException(path, store.getMessage()), store);
      case NO_SUCH_BUCKET,
          NO_SUCH_UPLOAD,
          BAD_CREDENTIALS,
          EXPIRED_CREDENTIALS,
          WRONG_REGION,
          INVALID_REQUEST,
          UNSUPPORTED,
          NOT_S3,
          THROTTLED,
          UNREACHABLE,
          CONNECTION_LOST,
          SERVER_ERROR ->
          new RequestFailure(path, store);
    };
  }

  private static <E extends IOException> E with(E failure, Throwable cause) {
    failure.initCause(cause);
    return failure;
  }

  /** Keeps our message unchanged. Hadoop's class would add the path and the cause a second time. */
  private static final class RequestFailure extends PathIOException {
    private static final long serialVersionUID = 1L;

    private final String message;

    RequestFailure(String path, IOException cause) {
      super(path, cause);
      this.message = cause.getMessage();
    }

    @Override
    public String getMessage() {
      return message;
    }
  }
}
