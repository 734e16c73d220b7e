/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.pool.Parallel;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Checks that the store supports If-None-Match and If-Match on writes, by trying both. */
public final class ConditionalWriteCheck extends WritingCheck {
  /** Holds for no object. */
  private static final Condition OTHER = Condition.ifMatch("0".repeat(32));

  private final ObjectStore store;
  private final Scratch scratch;

  public ConditionalWriteCheck(ObjectStore store, Scratch scratch) {
    super("conditional writes", scratch);
    this.store = store;
    this.scratch = scratch;
  }

  @Override
  CheckOutcome tried() throws IOException {
    String key = scratch.newKey();
    scratch.put(key, Body.empty(), Condition.NONE);
    // First: once Penstock knows that a store ignores this condition, it refuses in its stead.
    boolean isCompleteRefused = isCompleteRefused(key);
    List<String> ignored = new ArrayList<>();
    if (!isRefused(key, Condition.IF_ABSENT)) {
      ignored.add("If-None-Match");
    }
    if (!isRefused(key, OTHER)) {
      ignored.add("If-Match");
    }
    if (!ignored.isEmpty()) {
      return CheckOutcome.warn(
          name(),
          "ignored: " + String.join(", ", ignored),
          "On this store, Penstock cannot stop a second driver on the same checkpoint, so it"
              + " refuses to write checkpoints. Update the store (MinIO 2024-11 or later), put"
              + " checkpoints elsewhere, or set"
              + " spark.hadoop.penstock.spark.checkpoint.enabled=false. See docs/stores.md.");
    }
    if (!isReplaced(key)) {
      return CheckOutcome.warn(
          name(),
          "If-Match is refused even if the ETag is right",
          "Files of a checkpoint cannot be replaced. Leave penstock.conditional.writes unset, so"
              + " that Penstock finds out which form of an ETag the store wants. See"
              + " docs/stores.md.");
    }
    return isCompleteRefused
        ? CheckOutcome.pass(name(), "If-None-Match and If-Match are honoured")
        : CheckOutcome.warn(
            name(),
            "honoured when an object is put, ignored when an upload is completed",
            "Two writers that complete the same file of over 32 MiB at the same moment may both"
                + " succeed. Let each query have its own checkpoint. See docs/stores.md.");
  }

  /** Returns true if an object with the right ETag can be replaced, as a job would do it. */
  private boolean isReplaced(String key) throws IOException {
    Condition right = Condition.ifMatch(scratch.put(key, Body.empty(), Condition.NONE));
    // Where it is not known how the store wants the ETag, the store finds out.
    return !isRefused(key, right)
        || (store.supportsConditionalWrites(key) && !isRefused(key, right));
  }

  private boolean isRefused(String key, Condition condition) throws IOException {
    return isRefused(() -> scratch.put(key, Body.empty(), condition));
  }

  private static boolean isRefused(Parallel.Work<String> write) throws IOException {
    try {
      write.run();
      return false;
    } catch (StoreException e) {
      if (e.kind() == Kind.PRECONDITION_FAILED || e.kind() == Kind.CONFLICT) {
        return true;
      }
      if (e.kind() == Kind.UNSUPPORTED) {
        return false;
      }
      throw e;
    }
  }

  private boolean isCompleteRefused(String key) throws IOException {
    Upload upload = scratch.newUpload(key);
    Part part = store.uploadPart(upload, 1, Body.ofBytes(new byte[1]));
    PendingUpload pending = new PendingUpload(upload, List.of(part));
    return isRefused(() -> scratch.complete(pending, Condition.IF_ABSENT));
  }
}
