/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Body;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;

/**
 * A body that the SDK can read several times, from the start each time. Only one stream is open at
 * a time. A failure to read the body is recorded separately from failures of the network.
 */
final class ReplayableBody implements ContentStreamProvider, AutoCloseable {
  private static final String CONTENT_TYPE = "application/octet-stream";

  private final Body body;
  private InputStream current;
  private IOException failure;

  ReplayableBody(Body body) {
    this.body = body;
  }

  RequestBody toRequestBody() {
    return RequestBody.fromContentProvider(this, body.sizeBytes(), CONTENT_TYPE);
  }

  /** Returns the failure with which the body could not be read, or null. */
  IOException failure() {
    return failure;
  }

  @Override
  public InputStream newStream() {
    try {
      close();
      current = new Watched(body.open());
      return current;
    } catch (IOException e) {
      failure = e;
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (current != null) {
      InputStream closing = current;
      current = null;
      closing.close();
    }
  }

  private final class Watched extends FilterInputStream {
    Watched(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      try {
        return super.read(buffer, offset, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
