/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.chance.Chance;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The objects that the doctor writes, and takes away again however it ends: by itself, by a
 * failure, or by Ctrl-C. Safe for use by the thread that ends the process.
 */
public final class Scratch {
  private final ObjectStore store;
  private final String prefix;
  private final Set<String> keys = new LinkedHashSet<>();
  private final Set<Upload> uploads = new LinkedHashSet<>();

  /** Keys of which an upload may have been created, and the answer with its id was lost. */
  private final Set<String> lost = new LinkedHashSet<>();

  private boolean closed;

  public Scratch(ObjectStore store, String prefix) {
    this.store = store;
    this.prefix = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
  }

  /**
   * A key that nobody else has, which readers of Spark skip; remembered before it is written.
   *
   * @throws IOException once the clean-up has begun
   */
  synchronized String newKey() throws IOException {
    if (closed) {
      throw new IOException("the doctor is being stopped");
    }
    String key = prefix + "_penstock_doctor_" + Chance.uniqueName();
    keys.add(key);
    return key;
  }

  /**
   * Writes to a key of {@link #newKey}.
   *
   * @throws IOException once the clean-up has begun, too
   */
  synchronized void put(String key, Body body, Condition condition) throws IOException {
    if (closed) {
      throw new IOException("the doctor is being stopped");
    }
    // Under the lock: a write that is under way must not land after the clean-up.
    store.put(key, body, condition);
  }

  /** Creates an upload, which the clean-up then aborts. */
  synchronized Upload newUpload(String key) throws IOException {
    if (closed) {
      throw new IOException("the doctor is being stopped");
    }
    // Under the lock: the clean-up must not run between the answer and our noting it.
    lost.add(key);
    Upload upload = store.createUpload(key);
    lost.remove(key);
    uploads.add(upload);
    return upload;
  }

  synchronized void gone(String key) {
    keys.remove(key);
  }

  synchronized void gone(Upload upload) {
    uploads.remove(upload);
    keys.remove(upload.key());
  }

  /**
   * Deletes what is still there; nothing new can be begun afterwards.
   *
   * @return what could not be deleted, each with the reason
   */
  public synchronized List<String> clean() {
    closed = true;
    return remove();
  }

  /** Deletes what one check has left. */
  synchronized List<String> remove() {
    List<String> left = new ArrayList<>();
    for (String key : List.copyOf(lost)) {
      try {
        // Nobody else has this key, so whatever is under way there is ours.
        store
            .listUploads(key, Optional.empty())
            .uploads()
            .forEach(listed -> uploads.add(listed.upload()));
        lost.remove(key);
      } catch (IOException | RuntimeException e) {
        left.add("perhaps an upload of " + place(key) + " (" + e.getMessage() + ")");
      }
    }
    for (Upload upload : List.copyOf(uploads)) {
      try {
        store.abortUpload(upload);
        uploads.remove(upload);
      } catch (IOException | RuntimeException e) {
        left.add("an upload of " + place(upload.key()) + " (" + e.getMessage() + ")");
      }
    }
    for (String key : List.copyOf(keys)) {
      try {
        store.delete(key);
        keys.remove(key);
      } catch (IOException | RuntimeException e) {
        left.add(place(key) + " (" + e.getMessage() + ")");
      }
    }
    return left;
  }

  private String place(String key) {
    return "s3://" + store.bucket() + "/" + key;
  }
}
