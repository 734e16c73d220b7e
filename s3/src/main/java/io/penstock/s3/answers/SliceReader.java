/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.store.ObjectSlice;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads the answer to a GET into an array.
 *
 * @param unfit receives the MD5 of a whole object that does not match its ETag
 */
public record SliceReader(
    RangeAnswer expected, ContentCheck contentCheck, AtomicReference<Optional<String>> unfit)
    implements ResponseTransformer<GetObjectResponse, ObjectSlice> {
  @Override
  public ObjectSlice transform(GetObjectResponse response, AbortableInputStream in)
      throws IOException {
    try {
      return read(response, in);
    } catch (IOException | RuntimeException e) {
      in.abort();
      throw e;
    }
  }

  private ObjectSlice read(GetObjectResponse response, AbortableInputStream in) throws IOException {
    RangeAnswer.Accepted accepted = expected.accept(response);
    byte[] bytes = new byte[Math.toIntExact(accepted.lengthBytes())];
    int count = in.readNBytes(bytes, 0, bytes.length);
    if (count < bytes.length) {
      throw expected.ended(count, accepted);
    }
    if (accepted.isWhole()) {
      unfit.set(contentCheck.unfit(expected.key(), response, bytes));
    }
    return new ObjectSlice(accepted.meta(), accepted.start(), bytes);
  }
}
