/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.sending;

import io.penstock.core.caller.Callers;
import io.penstock.core.chance.WriteIds;
import io.penstock.core.request.Context;
import io.penstock.core.request.Exchange;
import io.penstock.core.request.Layer;
import io.penstock.core.request.Request;
import io.penstock.core.request.Request.Doubling;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.ReadResult;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.VersionsPage;
import io.penstock.core.time.Time;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A store whose requests pass a chain of layers. Here alone a call of the port becomes a {@link
 * Request}: each method says what the layers must know of it, and how doubts about its answer are
 * settled.
 */
public final class LayeredStore implements ObjectStore {
  // The store joins the parts while the caller waits. This is quick only up to these limits.
  private static final int COMPLETE_PARTS_MAX = 100;
  private static final long COMPLETE_BYTES_MAX = 1L << 30;

  private final ObjectStore end;
  private final Layer chain;
  private final Layer unseen;
  private final LostCreations lostCreations;
  private final WriteIds writeIds;
  private final LostAnswers lostAnswers;
  private final Callers callers;

  /**
   * @param end sends each request once
   * @param chain what each request passes
   * @param unseen what work passes that may need no request, see {@link #supportsConditionalWrites}
   * @param lostCreations records keys for which an upload with an unknown id may exist
   * @param chance a source of randomness for this store alone: two stores with the same seed would
   *     mistake each other's conditional writes for their own
   * @param callers says on whose behalf a thread makes requests
   */
  public LayeredStore(
      ObjectStore end,
      Layer chain,
      Layer unseen,
      LostCreations lostCreations,
      Time time,
      SplittableRandom chance,
      Callers callers) {
    this.end = end;
    this.chain = chain;
    this.unseen = unseen;
    this.lostCreations = lostCreations;
    this.writeIds = new WriteIds(chance);
    this.lostAnswers = new LostAnswers(this, time);
    this.callers = callers;
  }

  private <T> T send(Request<T> request, Exchange<T> exchange) throws IOException {
    return chain.send(request, Context.of(callers.current()), exchange);
  }

  private <T> Request<T> request(Operation operation, String key) {
    return Request.of(operation, end.bucket(), key);
  }

  /** Returns a request that only reads, and expects so many bytes of content. */
  private <T> Request<T> read(Operation operation, String key, long bytes) {
    Request<T> request = request(operation, key);
    return request.weighing(bytes).doubled(Doubling.ANY_TIME);
  }

  @Override
  public String bucket() {
    return end.bucket();
  }

  @Override
  public String endpoint() {
    return end.endpoint();
  }

  @Override
  public int requestsMax() {
    return end.requestsMax();
  }

  @Override
  public StoreTraits traits() {
    return end.traits();
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    return send(
        read(Operation.GET, key, lengthOf(range)),
        context -> {
          context.attempt().asksFor(range);
          ObjectSlice slice = end.get(key, range, ifMatch);
          context.attempt().received(slice.bytes().length);
          return slice;
        });
  }

  private static long lengthOf(Range range) {
    return range instanceof ByteRange bytes
        ? bytes.lengthBytes()
        : ((SuffixRange) range).lengthBytes();
  }

  @Override
  public ReadResult read(String key, ByteRange range, String etag, ByteSink sink)
      throws IOException {
    return send(
        read(Operation.GET, key, range.lengthBytes()),
        context -> {
          context.attempt().asksFor(range);
          ReadResult landed = end.read(key, range, etag, sink);
          context.attempt().received(landed.range().lengthBytes());
          return landed;
        });
  }

  @Override
  public ObjectMeta head(String key) throws IOException {
    return send(read(Operation.HEAD, key, 0), context -> end.head(key));
  }

  @Override
  public ListPage list(ListRequest request) throws IOException {
    return send(
        read(Operation.LIST, request.prefix(), 0),
        context -> {
          ListPage page = end.list(request);
          if (page.objects().isEmpty() && page.groups().isEmpty() && page.nextToken().isEmpty()) {
            context.attempt().foundNothing();
          }
          return page;
        });
  }

  /** Gives a conditional write that has no write id one that all its attempts have. */
  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    Request<String> put = this.<String>request(Operation.PUT, key).sending(body.sizeBytes());
    if (condition.equals(Condition.NONE)) {
      return send(
          put.doubled(Doubling.LATE_IF_CERTAIN).settledBy(new PlainPut(body)),
          context -> end.put(key, context.body(body), condition));
    }
    String writeId = condition.writeId().orElseGet(writeIds);
    Condition identified = condition.withWriteId(writeId);
    return send(
        put.doubled(Doubling.ANY_TIME).settledBy(new IdentifiedPut(end, lostAnswers, key, writeId)),
        context -> end.put(key, context.body(body), identified));
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch)
      throws IOException {
    // Not doubled: that would copy all bytes once more. The size of the object is not known here.
    return send(
        this.<String>request(Operation.COPY, key).withoutDeadline(),
        context -> end.copy(sourceKey, key, sourceIfMatch));
  }

  @Override
  public void delete(String key, Condition condition) throws IOException {
    // Not doubled: a late attempt deletes what was written since.
    Request<Void> request = request(Operation.DELETE, key);
    send(
        request.settledBy(new ConditionalDelete(lostAnswers, key)),
        context -> {
          end.delete(key, condition);
          return null;
        });
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    Deletions<Condition> deletions = new Deletions<>(bucket(), keys, end::deleteAll);
    return send(deletions.rest(List.copyOf(keys.keySet())), deletions);
  }

  @Override
  public Map<String, StoreException> deleteVersions(Map<String, String> versions)
      throws IOException {
    Deletions<String> deletions = new Deletions<>(bucket(), versions, end::deleteVersions);
    return send(deletions.rest(List.copyOf(versions.keySet())), deletions);
  }

  @Override
  public VersionsPage listVersions(ListRequest request) throws IOException {
    return send(read(Operation.LIST, request.prefix(), 0), context -> end.listVersions(request));
  }

  @Override
  public ObjectSlice getVersion(String key, String versionId, Range range) throws IOException {
    return send(
        read(Operation.GET, key, lengthOf(range)),
        context -> {
          context.attempt().asksFor(range);
          ObjectSlice slice = end.getVersion(key, versionId, range);
          context.attempt().received(slice.bytes().length);
          return slice;
        });
  }

  @Override
  public Upload createUpload(String key, Optional<String> writeId, UserMetadata user)
      throws IOException {
    // Not doubled: the upload of the slower attempt would stay.
    return send(
        this.<Upload>request(Operation.CREATE_UPLOAD, key)
            .settledBy(new Creation(lostCreations, this, key)),
        context -> end.createUpload(key, writeId, user));
  }

  /**
   * Sends each attempt under another number than the attempts that may still be under way. Where
   * the part has one number only, it is doubled only if the store's uploads survive cuts.
   */
  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    boolean isSafe = numbers.areSpared() || end.traits().uploadsSurviveCuts();
    return send(
        this.<Part>request(Operation.UPLOAD_PART, upload.key())
            .sending(body.sizeBytes())
            .doubled(isSafe ? Doubling.IF_CERTAIN : Doubling.NEVER)
            .settledBy(new SentPart(numbers, body)),
        context -> {
          int number = numbers.inRound(context.round()).ofAttempt(context.number());
          context.attempt().sendsPart(number);
          return end.uploadPart(upload, number, context.body(body));
        });
  }

  @Override
  public Part copyPart(
      Upload upload, int number, String sourceKey, ByteRange range, Optional<String> sourceIfMatch)
      throws IOException {
    return send(
        this.<Part>request(Operation.COPY_PART, upload.key()).withoutDeadline(),
        context -> {
          context.attempt().sendsPart(number);
          return end.copyPart(upload, number, sourceKey, range, sourceIfMatch);
        });
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    try {
      return completeOnce(pending, condition);
    } catch (StoreException e) {
      // A caller that sets a write id sends only one content for each part number.
      if (e.kind() != Kind.INVALID_REQUEST || pending.writeId().isEmpty()) {
        throw e;
      }
      Optional<PendingUpload> asItIsNow = LateParts.of(this, pending, e);
      if (asItIsNow.isEmpty()) {
        throw e;
      }
      return completeOnce(asItIsNow.get(), condition);
    }
  }

  /**
   * If the store's uploads survive cuts, a slow Complete is cut. MinIO removes the parts before the
   * object is there, and stops in between if its client disconnects: the upload is then lost. There
   * a Complete has no deadline, and is doubled as {@link Completion} describes.
   */
  private String completeOnce(PendingUpload pending, Condition condition) throws IOException {
    boolean survives = end.traits().uploadsSurviveCuts();
    boolean isQuick =
        pending.parts().size() <= COMPLETE_PARTS_MAX && pending.sizeBytes() <= COMPLETE_BYTES_MAX;
    boolean isDoubled = !survives && condition.equals(Condition.NONE);
    Request<String> request =
        new Request<>(
            Operation.COMPLETE_UPLOAD,
            bucket(),
            pending.key(),
            List.of(),
            0,
            pending.sizeBytes(),
            survives && isQuick,
            isDoubled ? Doubling.ANY_TIME : Doubling.NEVER,
            new Completion(end, lostAnswers, pending, condition));
    return send(request, context -> end.completeUpload(pending, condition));
  }

  @Override
  public void abortUpload(Upload upload) throws IOException {
    Request<Void> request = request(Operation.ABORT_UPLOAD, upload.key());
    send(
        request,
        context -> {
          end.abortUpload(upload);
          return null;
        });
  }

  @Override
  public UploadsPage listUploads(String prefix, Optional<String> token) throws IOException {
    return send(request(Operation.LIST_UPLOADS, prefix), context -> end.listUploads(prefix, token));
  }

  @Override
  public PartsPage listParts(Upload upload, Optional<String> token) throws IOException {
    return send(
        request(Operation.LIST_PARTS, upload.key()), context -> end.listParts(upload, token));
  }

  /** Repeats the whole check when it fails, because the check consists of several writes. */
  @Override
  public boolean supportsConditionalWrites(String key) throws IOException {
    return unseen.send(
        request(Operation.PUT, key),
        Context.of(callers.current()),
        context -> end.supportsConditionalWrites(key));
  }

  @Override
  public boolean supportsConditionalCompletes(String key) throws IOException {
    return unseen.send(
        request(Operation.PUT, key),
        Context.of(callers.current()),
        context -> end.supportsConditionalCompletes(key));
  }

  @Override
  public void close() {
    end.close();
  }
}
