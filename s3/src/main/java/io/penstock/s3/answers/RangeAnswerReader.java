/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.ReadResult;
import java.io.IOException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Passes the answer to a GET on to a sink while it arrives. */
public record RangeAnswerReader(RangeAnswer expected, ByteSink sink)
    implements ResponseTransformer<GetObjectResponse, ReadResult> {
  /** Fits into the cache of a core, so that the copy of the bytes costs little. */
  private static final int CHUNK_BYTES = 64 << 10;

  @Override
  public ReadResult transform(GetObjectResponse response, AbortableInputStream in)
      throws IOException {
    try {
      return read(response, in);
    } catch (IOException | RuntimeException e) {
      in.abort();
      throw e;
    }
  }

  private ReadResult read(GetObjectResponse response, AbortableInputStream in) throws IOException {
    RangeAnswer.Accepted accepted = expected.accept(response);
    long length = accepted.lengthBytes();
    byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, length)];
    for (long done = 0; done < length; ) {
      int count = in.read(chunk, 0, (int) Math.min(chunk.length, length - done));
      if (count < 0) {
        throw expected.ended(done, accepted);
      }
      sink.take(accepted.start() + done, chunk, 0, count);
      done += count;
    }
    return new ReadResult(
        accepted.meta(), new ByteRange(accepted.start(), accepted.start() + length));
  }
}
