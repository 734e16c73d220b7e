/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.read.ObjectChangedException;
import io.penstock.core.store.StoreException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathPermissionException;

/** Turns our failures into the exceptions that Hadoop and Spark look for. The only such place. */
public final class Failures {
  private Failures() {}

  /** Work that may fail as the store does. */
  interface Step<T> {
    T run() throws IOException;
  }

  /** Does the step, and throws its failure as Hadoop knows it. */
  static <T> T translated(Path path, Step<T> step) throws IOException {
    try {
      return step.run();
    } catch (IOException e) {
      throw translate(path.toString(), e);
    }
  }

  /**
   * The failure as Hadoop knows it; message and cause are kept. A missing bucket is not a missing
   * file: a job that takes it for an empty input would go on with nothing.
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
      case ACCESS_DENIED -> with(new PathPermissionException(path, store.getMessage()), store);
      case NO_SUCH_BUCKET,
          NO_SUCH_UPLOAD,
          BAD_CREDENTIALS,
          EXPIRED_CREDENTIALS,
          WRONG_REGION,
          INVALID_REQUEST,
          UNSUPPORTED,
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

  /** Our message as it is: Hadoop's class would put path and cause around it once more. */
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
