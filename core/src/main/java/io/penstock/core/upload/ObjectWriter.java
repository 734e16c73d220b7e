/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

import io.penstock.core.store.Condition;
import java.io.IOException;
import java.util.Optional;

/**
 * Writes one object. A small object is sent as one PUT; the parts of a larger one are sent while it
 * is written.
 */
public final class ObjectWriter extends BlockWriter {
  private final Condition condition;
  private String etag;

  ObjectWriter(PartSender sender, Blocks blocks, UploadConfig config, Condition condition) {
    super(sender, blocks, config);
    this.condition = condition;
  }

  /** Returns the ETag of the object; empty until the object is in the store. */
  public synchronized Optional<String> etag() {
    return Optional.ofNullable(etag);
  }

  /**
   * Completes the object. When this method returns, the object is whole, durable and visible. When
   * it fails, nothing of the object is visible.
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
