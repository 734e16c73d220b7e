/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.chance.Chance;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The temporary objects that the doctor writes. It deletes them again in all cases: after a normal
 * end, a failure, or Ctrl-C. Safe for use by the shutdown thread.
 */
public final class Scratch {
  private final ObjectStore store;
  private final String prefix;
  private final Set<String> keys = new LinkedHashSet<>();
  private final Set<Upload> uploads = new LinkedHashSet<>();

  /** Keys for which an upload may have been created although the answer with its id was lost. */
  private final Set<String> lost = new LinkedHashSet<>();

  private boolean closed;

  public Scratch(ObjectStore store, String prefix) {
    this.store = store;
    this.prefix = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
  }

  /**
   * Returns a unique key that Spark's readers ignore. The key is remembered for the clean-up before
   * it is written.
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
   * Writes an object to a key from {@link #newKey}, and returns its ETag.
   *
   * @throws IOException also once the clean-up has begun
   */
  synchronized String put(String key, Body body, Condition condition) throws IOException {
    if (closed) {
      throw new IOException("the doctor is being stopped");
    }
    // The request is sent while the lock is held, so that no write can arrive after the clean-up.
    return store.put(key, body, condition);
  }

  /** Creates an upload, which the clean-up aborts. */
  synchronized Upload newUpload(String key) throws IOException {
    if (closed) {
      throw new IOException("the doctor is being stopped");
    }
    // The lock is held, so that the clean-up cannot run before the upload id is stored.
    lost.add(key);
    Upload upload = store.createUpload(key);
    lost.remove(key);
    uploads.add(upload);
    return upload;
  }

  /** Completes an upload of {@link #newUpload}, whose object the clean-up deletes. */
  synchronized String complete(PendingUpload pending, Condition condition) throws IOException {
    if (closed) {
      throw new IOException("the doctor is being stopped");
    }
    String etag = store.completeUpload(pending, condition);
    uploads.remove(pending.upload());
    return etag;
  }

  /** Forgets a key at which there is neither an object nor an upload. */
  synchronized void gone(String key) {
    keys.remove(key);
    lost.remove(key);
  }

  synchronized void gone(Upload upload) {
    uploads.remove(upload);
    keys.remove(upload.key());
  }

  /**
   * Deletes all remaining objects and uploads. Nothing new can be started afterwards.
   *
   * @return the objects that could not be deleted, each with the reason
   */
  public synchronized List<String> clean() {
    closed = true;
    return remove();
  }

  /** Deletes the remaining objects and uploads of one check. */
  synchronized List<String> remove() {
    List<String> left = new ArrayList<>();
    for (String key : List.copyOf(lost)) {
      try {
        // The key is unique, so any upload at this key is ours.
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
