/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.Range;
import io.penstock.core.store.Range.ByteSpan;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.time.Time;
import io.penstock.emulator.api.AnswerXml;
import io.penstock.emulator.api.S3Error;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The operations on one object, and DeleteObjects. */
final class ObjectCalls {
  private static final int MAX_DELETED_KEYS = 1000;
  private static final int READ_TRIES = 10;

  private final Time time;
  private final Dialect dialect;

  ObjectCalls(Time time, Dialect dialect) {
    this.time = time;
    this.dialect = dialect;
  }

  HttpResponse get(BucketRequest target) throws IOException {
    Optional<String> version = version(target);
    if (version.isPresent()) {
      return getVersion(target, version.get());
    }
    for (int tries = 1; ; tries++) {
      try {
        return tryGet(target);
      } catch (StoreException e) {
        // The object was overwritten between head and read: try again, so that the client sees one
        // version.
        if (e.kind() != Kind.PRECONDITION_FAILED || tries == READ_TRIES) {
          throw e;
        }
      }
    }
  }

  private static Optional<String> version(BucketRequest target) {
    return target.query().first("versionId").filter(id -> !id.isEmpty());
  }

  /** Answers with a whole version, or with its last bytes. */
  private static HttpResponse getVersion(BucketRequest target, String version) throws IOException {
    Optional<Range> range = target.headers().first("Range").flatMap(RangeField::parse);
    ObjectSlice slice =
        target
            .store()
            .getVersion(target.key(), version, range.orElse(new SuffixRange(Integer.MAX_VALUE)));
    Headers headers = describe(slice.meta());
    if (range.isPresent()) {
      headers.add(
          "Content-Range", contentRange(new ByteSpan(slice.start(), slice.end()), slice.meta()));
    }
    return HttpResponse.of(range.isPresent() ? 206 : 200, headers, Payload.of(slice.bytes()));
  }

  private static HttpResponse tryGet(BucketRequest target) throws IOException {
    ObjectMeta meta = target.store().head(target.key());
    Headers headers = describe(meta);
    if (!Conditions.holdForRead(target.headers(), meta)) {
      return HttpResponse.of(304, headers, Payload.empty());
    }
    Optional<Range> range = target.headers().first("Range").flatMap(RangeField::parse);
    if (range.isEmpty()) {
      ByteSpan all = new ByteSpan(0, meta.sizeBytes());
      return HttpResponse.of(200, headers, new ObjectPayload(target.store(), meta, all));
    }
    ByteSpan span = satisfied(range.get(), target, meta);
    headers.add("Content-Range", contentRange(span, meta));
    return HttpResponse.of(206, headers, new ObjectPayload(target.store(), meta, span));
  }

  HttpResponse head(BucketRequest target) throws IOException {
    if (version(target).isPresent()) {
      throw S3Failure.notImplemented("HEAD of a version");
    }
    ObjectMeta meta = target.store().head(target.key());
    Headers headers = describe(meta);
    if (!Conditions.holdForRead(target.headers(), meta)) {
      return HttpResponse.of(304, headers, Payload.empty());
    }
    Optional<Range> range = target.headers().first("Range").flatMap(RangeField::parse);
    long length = meta.sizeBytes();
    if (range.isPresent()) {
      ByteSpan span = satisfied(range.get(), target, meta);
      headers.add("Content-Range", contentRange(span, meta));
      length = span.lengthBytes();
    }
    headers.add("Content-Length", Long.toString(length));
    return HttpResponse.of(range.isPresent() ? 206 : 200, headers, Payload.empty());
  }

  private static Headers describe(ObjectMeta meta) {
    Headers headers = new Headers();
    meta.writeId().ifPresent(id -> headers.add(Conditions.WRITE_ID, id));
    Conditions.addUser(meta.user(), headers);
    return headers
        .add("ETag", "\"" + meta.etag() + "\"")
        .add(
            "Last-Modified",
            DateTimeFormatter.RFC_1123_DATE_TIME.format(
                meta.lastModified().atOffset(ZoneOffset.UTC)))
        .add("Accept-Ranges", "bytes")
        .add("Content-Type", "binary/octet-stream");
  }

  private static ByteSpan satisfied(Range range, BucketRequest target, ObjectMeta meta)
      throws S3Failure {
    ByteSpan span = range.within(meta.sizeBytes());
    if (span.isEmpty()) {
      throw new S3Failure(
          new S3Error(
              416,
              "InvalidRange",
              "The requested range is not satisfiable",
              Map.of(
                  "RangeRequested",
                  target.headers().first("Range").orElse(""),
                  "ActualObjectSize",
                  Long.toString(meta.sizeBytes()))));
    }
    return span;
  }

  private static String contentRange(ByteSpan span, ObjectMeta meta) {
    return "bytes " + span.start() + "-" + (span.end() - 1) + "/" + meta.sizeBytes();
  }

  HttpResponse put(BucketRequest target) throws IOException {
    Condition condition = Conditions.ofWrite(target.headers());
    Headers answer = new Headers();
    try (ReceivedBody body = BodyReceiver.upload(target.request(), answer)) {
      Body labelled = body.with(Conditions.userOfWrite(target.headers()));
      String etag = target.store().put(target.key(), labelled, condition);
      answer.add("ETag", "\"" + etag + "\"");
      return HttpResponse.of(200, answer, Payload.empty());
    } catch (StoreException e) {
      throw Conditions.explain(e, target.store(), target.key(), condition);
    }
  }

  HttpResponse copy(BucketRequest target) throws IOException {
    CopySource source = CopySource.of(target);
    Conditions.require(Conditions.ofWrite(target.headers()), target.store(), target.key());
    String etag =
        source.isSameBucket()
            ? target.store().copy(source.key(), target.key(), source.etag())
            : copyAcross(source, target);
    return AnswerXml.of("CopyObjectResult").time("LastModified", time.now()).etag(etag).response();
  }

  private static String copyAcross(CopySource source, BucketRequest target) throws IOException {
    ByteSpan all = new ByteSpan(0, source.meta().sizeBytes());
    try (ReceivedBody body = spool(source, all)) {
      return target.store().put(target.key(), body.with(source.meta().user()), Condition.NONE);
    }
  }

  /** Reads bytes of an object into a body for another store. */
  static ReceivedBody spool(CopySource source, ByteSpan span) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectPayload(source.store(), source.meta(), span).writeTo(bytes);
    return ReceivedBody.receive(new ByteArrayInputStream(bytes.toByteArray()), bytes.size());
  }

  HttpResponse delete(BucketRequest target) throws IOException {
    if (target.headers().has("If-None-Match")) {
      throw S3Failure.notImplemented("If-None-Match of a deletion");
    }
    Optional<String> version = version(target);
    if (version.isPresent()) {
      requireDeleted(target.store().deleteVersions(Map.of(target.key(), version.get())));
      return HttpResponse.of(204, new Headers(), Payload.empty());
    }
    if (dialect.missesWhatIsDeleted()) {
      target.store().head(target.key());
    }
    Condition condition = Conditions.ofDeletion(target.headers().first("If-Match"));
    target.store().delete(target.key(), condition);
    return HttpResponse.of(204, new Headers(), Payload.empty());
  }

  private static void requireDeleted(Map<String, StoreException> failures) throws StoreException {
    for (StoreException failure : failures.values()) {
      throw failure;
    }
  }

  HttpResponse deleteAll(BucketRequest target) throws IOException {
    XmlRows request = XmlRows.parse(BodyReceiver.xml(target.request()), "Delete", "Object");
    Map<String, Condition> keys = new LinkedHashMap<>();
    Map<String, String> versions = new LinkedHashMap<>();
    for (Map<String, String> row : request.rows()) {
      if (row.getOrDefault("Key", "").isEmpty()) {
        throw XmlRows.malformed();
      }
      keys.put(row.get("Key"), Conditions.ofDeletion(Optional.ofNullable(row.get("ETag"))));
      if (row.containsKey("VersionId")) {
        versions.put(row.get("Key"), row.get("VersionId"));
      }
    }
    if (keys.isEmpty() || keys.size() > MAX_DELETED_KEYS) {
      throw XmlRows.malformed();
    }
    if (!versions.isEmpty() && versions.size() < request.rows().size()) {
      throw S3Failure.notImplemented("a deletion of objects and versions, or of two of one key");
    }
    Map<String, StoreException> failures =
        versions.isEmpty()
            ? target.store().deleteAll(keys)
            : target.store().deleteVersions(versions);
    AnswerXml xml = AnswerXml.of("DeleteResult");
    boolean quiet = Boolean.parseBoolean(request.fields().getOrDefault("Quiet", "false"));
    for (String key : keys.keySet()) {
      if (failures.containsKey(key)) {
        S3Error error = StoreErrors.of(failures.get(key), target.call());
        xml.open("Error").add("Key", key).add("Code", error.code());
        xml.add("Message", error.message()).close();
      } else if (!quiet) {
        xml.open("Deleted").add("Key", key).close();
      }
    }
    return xml.response();
  }
}
