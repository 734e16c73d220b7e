/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Condition;
import java.io.IOException;
import java.util.Optional;

/** Writes one object: as one PUT when it is small, in parts while it is written otherwise. */
public final class ObjectWriter extends BlockWriter {
  private final Condition condition;
  private String etag;

  ObjectWriter(PartSender sender, Blocks blocks, UploadConfig config, Condition condition) {
    super(sender, blocks, config);
    this.condition = condition;
  }

  /** The ETag of the object; empty until it is there. */
  public synchronized Optional<String> etag() {
    return Optional.ofNullable(etag);
  }

  /**
   * Closes the object. When this returns, the object is whole, durable and visible; when it fails,
   * there is none of it.
   */
  @Override
  public synchronized void close() throws IOException {
    if (!closing()) {
      return;
    }
    try {
      refuseAfterFailedWrite();
      if (sender.partsSent() == 0) {
        etag = sender.putWhole(takeBlock(), condition);
      } else {
        sendBlock();
        etag = sender.complete(condition);
      }
    } catch (IOException | RuntimeException | Error e) {
      abortAfter(e);
      throw e;
    }
  }
}
