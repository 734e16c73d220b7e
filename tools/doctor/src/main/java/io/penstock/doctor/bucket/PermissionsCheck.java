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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tries each permission of docs/permissions.md, and names all that are missing at once. */
public final class PermissionsCheck extends WritingCheck {
  /** A denial that names the permission of another service, such as that of a KMS key. */
  private static final Pattern OTHER = Pattern.compile("lack ((?!s3:)[a-z0-9-]+:\\w+)");

  private static final String READING = "s3:GetObject";
  private static final String WRITING = "s3:PutObject";
  private static final String DELETING = "s3:DeleteObject";
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

  /** The later checks would fail by the same refusals. */
  @Override
  public boolean isGate() {
    return !missing.isEmpty();
  }

  @Override
  CheckOutcome tried() throws IOException {
    has(missing, LISTING, () -> store.list(ListRequest.flat(prefix).limit(1)));
    has(wanted, "s3:ListBucketMultipartUploads", () -> store.listUploads(prefix, Optional.empty()));
    // Nothing is written that could not be removed again.
    String key = scratch.newKey();
    Upload absent = new Upload(key, "no-such-upload");
    boolean deletes = has(missing, DELETING, () -> store.delete(key));
    boolean aborts = has(missing, "s3:AbortMultipartUpload", () -> store.abortUpload(absent));
    has(wanted, "s3:ListMultipartUploadParts", () -> store.listParts(absent, Optional.empty()));
    scratch.gone(key);
    if (deletes) {
      putAndGet();
    } else if (aborts) {
      has(missing, WRITING, this::create);
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
    Body body = Body.ofBytes(new byte[] {'p'});
    if (has(missing, WRITING, () -> scratch.put(key, body, Condition.NONE))) {
      gets = true;
      has(missing, READING, () -> store.get(key, new ByteRange(0, 1), Optional.empty()));
    }
    if (has(missing, DELETING, () -> store.delete(key))) {
      scratch.gone(key);
    }
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

  /**
   * Returns true if the request is not denied. Stores differ in how they answer a request about an
   * upload that does not exist, or that they do not know; none of that is a denial.
   */
  private static boolean has(Set<String> lacking, String permission, Request request)
      throws IOException {
    try {
      request.send();
      return true;
    } catch (StoreException e) {
      switch (e.kind()) {
        case ACCESS_DENIED -> {
          Matcher other = OTHER.matcher(e.getMessage());
          lacking.add(other.find() ? other.group(1) : permission);
          return false;
        }
        case NO_SUCH_KEY, NO_SUCH_UPLOAD, UNSUPPORTED, INVALID_REQUEST -> {
          return true;
        }
        default -> throw e;
      }
    }
  }
}
