/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.request.Request;
import io.penstock.core.request.Request.Doubling;
import io.penstock.core.request.Resolution;
import io.penstock.core.store.Operation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request of the SDK means to the layers: whether it may be cut, or made twice at once. Its
 * caller knows nothing of the attempts, so only what means the same twice is made twice.
 */
final class Meaning {
  private static final Pattern KEY = Pattern.compile("<Key>([^<]{1,5000})</Key>");

  private final HttpFacts facts;
  private final Optional<byte[]> content;
  private final boolean isChunked;
  private final boolean isCreationSettled;
  private final Optional<Completion> completion;
  private final List<String> deleted;

  /**
   * @param content what is sent; empty if it can be sent only once, or if there is none
   * @param isChunked true if the content is in chunks
   * @param isCreationSettled true if what a second attempt creates is removed
   * @param completion settles what a Complete has done; empty if this is none, or nobody can
   */
  Meaning(
      HttpFacts facts,
      Optional<byte[]> content,
      boolean isChunked,
      boolean isCreationSettled,
      Optional<Completion> completion) {
    this.facts = facts;
    this.content = content;
    this.isChunked = isChunked;
    this.isCreationSettled = isCreationSettled;
    this.completion = completion;
    this.deleted = facts.operation() == Operation.DELETE_ALL ? keys() : List.of();
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    String xml = content.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
    Matcher matcher = KEY.matcher(xml);
    while (matcher.find()) {
      keys.add(
          matcher
              .group(1)
              .replace("&lt;", "<")
              .replace("&gt;", ">")
              .replace("&quot;", "\"")
              .replace("&apos;", "'")
              .replace("&amp;", "&"));
    }
    return keys;
  }

  /** Returns the keys of a bulk delete; none for anything else. */
  List<String> deleted() {
    return deleted;
  }

  /** Returns the request, of which only one attempt can be made. */
  Request<Sent> once(long sentBytes) {
    return request(sentBytes, false, Doubling.NEVER, Resolution.none());
  }

  /** Returns the request, which may be sent again as it is. */
  Request<Sent> repeatable(long sentBytes) {
    return request(sentBytes, hasDeadline(), doubling(), resolution());
  }

  private Request<Sent> request(
      long sentBytes, boolean hasDeadline, Doubling doubling, Resolution<Sent> resolution) {
    return new Request<>(
        facts.operation(),
        facts.bucket(),
        facts.key(),
        deleted,
        sentBytes,
        facts.operation() == Operation.GET ? readBytes() : sentBytes,
        hasDeadline,
        doubling,
        resolution);
  }

  /** Returns the bytes that an attempt reads before it ends; what comes later has no deadline. */
  private long readBytes() {
    return facts.rangeBytes().filter(bytes -> bytes <= HttpAnswer.WHOLE_MAX).orElse(0L);
  }

  private Resolution<Sent> resolution() {
    if (completion.isPresent()) {
      return completion.get();
    }
    return content
        .<Resolution<Sent>>map(bytes -> new SameContent(bytes, isChunked))
        .orElse(Resolution.none());
  }

  /** A cut leaves an upload behind, or its effect unknown, or the store is copying content. */
  private boolean hasDeadline() {
    return switch (facts.operation()) {
      case CREATE_UPLOAD -> isCreationSettled;
      case COMPLETE_UPLOAD, COPY, COPY_PART -> false;
      case DELETE, DELETE_ALL -> isOfScratch();
      default -> !facts.isConditional();
    };
  }

  /** Returns true if the deletion may take effect again at any time, and does no harm. */
  private boolean isOfScratch() {
    return facts.operation() == Operation.DELETE
        ? HttpFacts.isScratch(facts.key())
        : !deleted.isEmpty() && deleted.stream().allMatch(HttpFacts::isScratch);
  }

  private Doubling doubling() {
    if (facts.isRead()) {
      return Doubling.ANY_TIME;
    }
    if (facts.isConditional()) {
      return Doubling.NEVER;
    }
    return switch (facts.operation()) {
      case PUT -> Doubling.LATE_IF_CERTAIN;
      // Elsewhere the attempt that is cut may take the part with it: MinIO.
      case UPLOAD_PART -> facts.isOnAws() ? Doubling.IF_CERTAIN : Doubling.NEVER;
      case DELETE, DELETE_ALL -> isOfScratch() ? Doubling.ANY_TIME : Doubling.NEVER;
      case CREATE_UPLOAD -> isCreationSettled ? Doubling.ANY_TIME : Doubling.NEVER;
      case COMPLETE_UPLOAD -> completion.isPresent() ? Doubling.ANY_TIME : Doubling.NEVER;
      default -> Doubling.NEVER;
    };
  }
}
