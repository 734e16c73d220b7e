/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import io.penstock.core.request.Attempt;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import software.amazon.awssdk.http.ContentStreamProvider;

/**
 * The content of a request. It reports to the attempt the bytes that are sent and when all are
 * sent.
 */
final class MeteredContent implements ContentStreamProvider {
  private final ContentStreamProvider content;
  private final long sizeBytes;
  private final Attempt attempt;

  /**
   * @param sizeBytes number of bytes after which the content counts as sent
   */
  MeteredContent(ContentStreamProvider content, long sizeBytes, Attempt attempt) {
    this.content = content;
    this.sizeBytes = sizeBytes;
    this.attempt = attempt;
  }

  @Override
  public String name() {
    return content.name();
  }

  @Override
  public InputStream newStream() {
    return new Metered(content.newStream());
  }

  private final class Metered extends FilterInputStream {
    private long leftBytes = sizeBytes;

    Metered(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      took(value < 0 ? -1 : 1);
      return value;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      int count = in.read(into, at, length);
      took(count);
      return count;
    }

    private void took(int count) {
      if (count > 0) {
        attempt.moved(count);
        leftBytes -= count;
      }
      if (count < 0 || leftBytes <= 0) {
        attempt.sent();
      }
    }
  }
}
