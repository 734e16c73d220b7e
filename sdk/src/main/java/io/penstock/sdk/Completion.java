/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.request.Resolution;
import io.penstock.core.store.Etags;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.time.Time;
import io.penstock.sdk.OwnRequests.Found;
import java.io.ByteArrayInputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpFullResponse;

/**
 * A Complete without a condition, whose outcome the store can be asked for. It is never cut: MinIO
 * may lose the upload then. A second one may be made beside it. The store carries out one of them
 * and refuses the other, because the upload is gone; so a refusal proves nothing, but the object's
 * ETag does if it is made of the ETags of these parts: an object of the same parts is as good as
 * the one of this upload. Where nothing is proved, as with keys of KMS, or because the object may
 * not be looked at, only the store's own answer counts, as it does without a second attempt.
 */
final class Completion implements Resolution<Sent> {
  private static final Logger LOG = LoggerFactory.getLogger(Completion.class);
  private static final Pattern PART = Pattern.compile("<Part>(.{1,2000}?)</Part>", Pattern.DOTALL);
  private static final Pattern ETAG = Pattern.compile("<ETag>(?:\"|&quot;)?([0-9a-f]{32})[\"&<]");

  /** An attempt that was lost may still be under way; the upload is gone before the object is. */
  private static final List<Duration> WAITS =
      List.of(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(3));

  /** The store tells its times in whole seconds. */
  private static final Duration ROUNDED = Duration.ofSeconds(2);

  private final HttpFacts facts;
  private final OwnRequests own;
  private final Time time;
  private final String body;
  private final long startNanos;
  private volatile Sent answered;

  /**
   * @param body the list of parts, as it is sent
   */
  Completion(HttpFacts facts, OwnRequests own, Time time, String body) {
    this.facts = facts;
    this.own = own;
    this.time = time;
    this.body = body;
    this.startNanos = time.nowNanos();
  }

  @Override
  public Sent refusedBesideAnother(StoreException refusal, Look look) throws StoreException {
    if (!mayBeOurs(refusal)) {
      throw refusal;
    }
    Optional<Sent> ours = ours(found(refusal).filter(this::isNew));
    return ours.orElseThrow(() -> unknown(refusal));
  }

  /**
   * versitygw accepts the second Complete while the first one is still in progress. So the object
   * must be there; if that cannot be seen, the answer counts when no other attempt is under way.
   */
  @Override
  public Sent answeredBesideAnother(Sent sent, Look look) throws StoreException {
    if (facts.isOnAws()) {
      return sent;
    }
    answered = sent;
    Optional<Found> found = found(null);
    boolean isThere = found.isPresent() && sent.answer().text().contains(found.get().etag());
    if (isThere || ours(found).isPresent()) {
      return sent;
    }
    throw unknown(null);
  }

  /** Returns the store's answer to an attempt of a race that ended without a proof. */
  Optional<Sent> answered() {
    return Optional.ofNullable(answered);
  }

  private Optional<Found> found(StoreException refusal) throws StoreException {
    try {
      return own.find(facts);
    } catch (StoreException e) {
      StoreException unknown = unknown(refusal);
      unknown.addSuppressed(e);
      throw unknown;
    }
  }

  /**
   * An older object of the same parts says nothing of an attempt that may be replacing it now, and
   * that must not be cut. Amazon's objects are as old as their uploads, and may be cut there.
   */
  private boolean isNew(Found found) {
    Duration elapsed = Duration.ofNanos(time.nowNanos() - startNanos);
    return facts.isOnAws()
        || found.age().filter(age -> age.compareTo(elapsed.plus(ROUNDED)) <= 0).isPresent();
  }

  private static boolean mayBeOurs(StoreException refusal) {
    // MinIO may have taken the parts, or crashed in between: then they are missing.
    return refusal.kind() == Kind.NO_SUCH_UPLOAD || refusal.kind() == Kind.INVALID_REQUEST;
  }

  /**
   * Returns the answer to a Complete that was refused for good, because an earlier one succeeded
   * whose answer was lost: by the SDK, which has then asked again, or by whoever is above it. Empty
   * if it did not.
   *
   * @param isRepeated true if the SDK has asked before, so that it may be carried out just now
   */
  Optional<Sent> afterRefusal(StoreException refusal, boolean isRepeated)
      throws InterruptedIOException {
    if (answered != null) {
      return Optional.of(answered);
    }
    if (!mayBeOurs(refusal) || etagOfParts().isEmpty()) {
      return Optional.empty();
    }
    try {
      Optional<Sent> ours = ours(own.find(facts));
      for (Duration wait : WAITS) {
        if (ours.isPresent() || !isRepeated || refusal.kind() != Kind.NO_SUCH_UPLOAD) {
          break;
        }
        time.sleep(wait);
        ours = ours(own.find(facts));
      }
      return ours;
    } catch (StoreException e) {
      refusal.addSuppressed(e);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while looking for " + facts.object());
    }
  }

  private Optional<Sent> ours(Optional<Found> found) {
    Optional<String> expected = etagOfParts();
    if (found.isEmpty() || !found.map(Found::etag).equals(expected)) {
      return Optional.empty();
    }
    LOG.info("{}: the upload was completed by an earlier attempt", facts.object());
    return Optional.of(new Sent(null, answer(found.get())));
  }

  /** Returns the ETag of an object of these parts; empty if theirs do not tell. */
  private Optional<String> etagOfParts() {
    List<Part> parts = new ArrayList<>();
    Matcher each = PART.matcher(body);
    while (each.find()) {
      Matcher etag = ETAG.matcher(each.group(1));
      if (!etag.find() || parts.size() == Part.MAX_NUMBER) {
        return Optional.empty();
      }
      parts.add(new Part(parts.size() + 1, etag.group(1), 0)); // Only their order counts.
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(Etags.ofParts(parts));
  }

  private HttpAnswer answer(Found found) {
    byte[] xml =
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><CompleteMultipartUploadResult"
                + " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">%s<ETag>&quot;%s&quot;</ETag>"
                + "</CompleteMultipartUploadResult>")
            .formatted(
                element("Bucket", facts.bucket()) + element("Key", facts.key()), found.etag())
            .getBytes(StandardCharsets.UTF_8);
    SdkHttpFullResponse.Builder http =
        SdkHttpFullResponse.builder()
            .statusCode(200)
            .putHeader("Content-Type", "application/xml")
            .putHeader("Content-Length", Integer.toString(xml.length));
    found.version().ifPresent(version -> http.putHeader("x-amz-version-id", version));
    return new HttpAnswer(
        HttpExecuteResponse.builder()
            .response(http.build())
            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(xml)))
            .build(),
        Optional.of(xml));
  }

  private static String element(String name, String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      return ""; // XML has no way to write it.
    }
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return "<%1$s>%2$s</%1$s>".formatted(name, escaped);
  }

  private StoreException unknown(StoreException refusal) {
    return new StoreException(
        Kind.CONNECTION_LOST,
        Operation.COMPLETE_UPLOAD,
        facts.object(),
        "the outcome is not known, because another attempt at the same request is still running.",
        null,
        refusal);
  }
}
