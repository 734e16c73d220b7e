/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.bucket;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Upload;
import io.penstock.doctor.CheckOutcome;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Tries each permission of docs/permissions.md, and names all that are missing at once. */
public final class PermissionsCheck extends WritingCheck {
  private static final String READING = "s3:GetObject";
  private static final String WRITING = "s3:PutObject";
  private static final String LISTING = "s3:ListBucket";

  private final ObjectStore store;
  private final Scratch scratch;
  private final String prefix;
  private final Set<String> missing = new LinkedHashSet<>();
  private final Set<String> wanted = new LinkedHashSet<>();
  private final Set<String> untried = new LinkedHashSet<>();
  private boolean gets;

  /**
   * @param prefix where the job reads and writes; without a slash at its beginning
   */
  public PermissionsCheck(ObjectStore store, Scratch scratch, String prefix) {
    super("permissions", scratch);
    this.store = store;
    this.scratch = scratch;
    this.prefix = prefix;
  }

  @Override
  public boolean isGate() {
    return true;
  }

  @Override
  CheckOutcome tried() throws IOException {
    has(missing, LISTING, () -> store.list(ListRequest.flat(prefix).limit(1)));
    has(wanted, "s3:ListBucketMultipartUploads", () -> store.listUploads(prefix, Optional.empty()));
    // Nothing is written that could not be removed again.
    String key = scratch.newKey();
    Upload absent = new Upload(key, "no-such-upload");
    boolean deletes = has(missing, "s3:DeleteObject", () -> store.delete(key));
    boolean aborts = has(missing, "s3:AbortMultipartUpload", () -> store.abortUpload(absent));
    has(wanted, "s3:ListMultipartUploadParts", () -> store.listParts(absent, Optional.empty()));
    scratch.gone(key);
    if (deletes || aborts) {
      has(missing, WRITING, deletes ? this::putAndGet : this::create);
    } else {
      untried.add(WRITING);
    }
    if (!gets) {
      if (missing.contains(LISTING)) {
        untried.add(READING);
      } else {
        // Who may list is told that an object is missing; who may not read it is refused.
        has(missing, READING, () -> store.head(key));
      }
    }
    return outcome();
  }

  private void putAndGet() throws IOException {
    String key = scratch.newKey();
    scratch.put(key, Body.ofBytes(new byte[] {'p'}), Condition.NONE);
    gets = true;
    has(missing, READING, () -> store.get(key, new ByteRange(0, 1), Optional.empty()));
    store.delete(key);
    scratch.gone(key);
  }

  private void create() throws IOException {
    String key = scratch.newKey();
    Upload upload;
    try {
      upload = scratch.newUpload(key);
    } catch (StoreException e) {
      if (e.kind() == Kind.ACCESS_DENIED) {
        scratch.gone(key); // nothing was made
      }
      throw e;
    }
    store.abortUpload(upload);
    scratch.gone(upload);
  }

  private CheckOutcome outcome() {
    if (missing.isEmpty() && wanted.isEmpty()) {
      return CheckOutcome.pass(name(), "all that a writer needs");
    }
    String fix =
        "Grant what is missing to these credentials, or find the bucket policy that denies it."
            + " docs/permissions.md has whole policies, for readers, writers and streams.";
    if (missing.isEmpty()) {
      return CheckOutcome.warn(
          name(),
          "all that a writer needs, but not %s: uploads that lost executors leave are not found"
              .formatted(String.join(" and ", wanted)),
          fix);
    }
    boolean reads =
        !missing.contains(READING) && !missing.contains(LISTING) && !untried.contains(READING);
    missing.addAll(wanted);
    String said = "missing: " + String.join(", ", missing);
    if (!untried.isEmpty()) {
      said += "; not tried without them: " + String.join(", ", untried);
    }
    return CheckOutcome.fail(name(), reads ? said + " (a reader needs none of them)" : said, fix);
  }

  /** A request that needs a permission. */
  private interface Request {
    void send() throws IOException;
  }

  /** Returns true if the request is not denied; what does not exist is no denial. */
  private static boolean has(Set<String> lacking, String permission, Request request)
      throws IOException {
    try {
      request.send();
      return true;
    } catch (StoreException e) {
      if (e.kind() == Kind.ACCESS_DENIED) {
        lacking.add(permission);
        return false;
      }
      if (e.kind() == Kind.NO_SUCH_KEY || e.kind() == Kind.NO_SUCH_UPLOAD) {
        return true;
      }
      throw e;
    }
  }
}
