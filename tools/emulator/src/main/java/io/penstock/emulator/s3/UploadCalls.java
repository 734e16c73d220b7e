/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Range.ByteSpan;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.Time;
import io.penstock.emulator.api.AnswerXml;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** The operations on one multipart upload. */
final class UploadCalls {
  private static final int MAX_LISTED_PARTS = 1000;

  private final Time time;
  private final Dialect dialect;

  UploadCalls(Time time, Dialect dialect) {
    this.time = time;
    this.dialect = dialect;
  }

  HttpResponse create(BucketRequest target) throws IOException {
    Optional<String> writeId = target.headers().first(Conditions.WRITE_ID);
    Upload upload =
        target
            .store()
            .createUpload(target.key(), writeId, Conditions.userOfWrite(target.headers()));
    target.bucket().uploads().created(upload.uploadId());
    return AnswerXml.of("InitiateMultipartUploadResult")
        .add("Bucket", target.call().bucket())
        .add("Key", target.key())
        .add("UploadId", upload.uploadId())
        .response();
  }

  HttpResponse uploadPart(BucketRequest target) throws IOException {
    int number = partNumber(target);
    Headers answer = new Headers();
    try (ReceivedBody body = BodyReceiver.upload(target.request(), answer)) {
      Part part = target.store().uploadPart(upload(target), number, body);
      target.bucket().uploads().stored(uploadId(target), part, time.now());
      answer.add("ETag", "\"" + part.etag() + "\"");
      return HttpResponse.of(200, answer, Payload.empty());
    }
  }

  HttpResponse copyPart(BucketRequest target) throws IOException {
    int number = partNumber(target);
    CopySource source = CopySource.of(target);
    ByteSpan span = source.span(target.headers().first("x-amz-copy-source-range"));
    Part part = copied(target, number, source, span);
    target.bucket().uploads().stored(uploadId(target), part, time.now());
    return AnswerXml.of("CopyPartResult")
        .time("LastModified", time.now())
        .etag(part.etag())
        .response();
  }

  private static Part copied(BucketRequest target, int number, CopySource source, ByteSpan span)
      throws IOException {
    if (source.isSameBucket() && !span.isEmpty()) {
      ByteRange range = new ByteRange(span.start(), span.end());
      return target.store().copyPart(upload(target), number, source.key(), range, source.etag());
    }
    try (ReceivedBody body = ObjectCalls.spool(source, span)) {
      return target.store().uploadPart(upload(target), number, body);
    }
  }

  HttpResponse complete(BucketRequest target) throws IOException {
    Condition condition = Conditions.ofWrite(target.headers());
    List<Map<String, String>> rows =
        XmlRows.parse(BodyReceiver.xml(target.request()), "CompleteMultipartUpload", "Part").rows();
    if (rows.isEmpty()) {
      throw XmlRows.malformed();
    }
    List<Part> parts = new ArrayList<>();
    Optional<NavigableMap<Integer, UploadRegistry.Entry>> stored =
        target.bucket().uploads().parts(uploadId(target));
    for (Map<String, String> row : rows) {
      Part part = part(row, stored);
      if (!parts.isEmpty() && part.number() <= parts.get(parts.size() - 1).number()) {
        throw new S3Failure(
            400,
            "InvalidPartOrder",
            "The list of parts was not in ascending order. Parts must be ordered by part number.");
      }
      parts.add(part);
    }
    if (dialect.wantsPartsOfOneSize() && !areOfOneSize(parts)) {
      throw new S3Failure(Dialect.unequalParts());
    }
    String etag = complete(target, new PendingUpload(upload(target), parts), condition);
    target.bucket().uploads().ended(uploadId(target));
    return AnswerXml.of("CompleteMultipartUploadResult")
        .add("Location", location(target.request()))
        .add("Bucket", target.call().bucket())
        .add("Key", target.key())
        .etag(etag)
        .response();
  }

  /** Returns true if all parts have the size of the first, and the last one is not larger. */
  private static boolean areOfOneSize(List<Part> parts) {
    long size = parts.get(0).sizeBytes();
    int last = parts.size() - 1;
    return parts.subList(0, last).stream().allMatch(part -> part.sizeBytes() == size)
        && parts.get(last).sizeBytes() <= size;
  }

  private static String complete(BucketRequest target, PendingUpload pending, Condition condition)
      throws IOException {
    try {
      return target.store().completeUpload(pending, condition);
    } catch (StoreException e) {
      if (e.kind() == Kind.INVALID_REQUEST) {
        // Order and ETags were checked against the recorded parts. Only a part size can be wrong
        // here.
        throw new S3Failure(
            400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
      }
      throw Conditions.explain(e, target.store(), target.key(), condition);
    }
  }

  private static Part part(
      Map<String, String> row, Optional<NavigableMap<Integer, UploadRegistry.Entry>> stored)
      throws S3Failure {
    String text = row.getOrDefault("PartNumber", "").strip();
    String etag = Conditions.unquoted(row.getOrDefault("ETag", ""));
    if (!text.matches("[0-9]{1,9}") || etag.isEmpty()) {
      throw XmlRows.malformed();
    }
    int number = inRange(Integer.parseInt(text));
    if (stored.isEmpty()) {
      return new Part(number, etag, 0);
    }
    UploadRegistry.Entry entry = stored.get().get(number);
    if (entry != null && entry.part().etag().equals(etag)) {
      return entry.part();
    }
    throw new S3Failure(
        400,
        "InvalidPart",
        "One or more of the specified parts could not be found. The part may not have been"
            + " uploaded, or the specified entity tag may not match the part's entity tag.");
  }

  HttpResponse abort(BucketRequest target) throws IOException {
    if (target.bucket().uploads().parts(uploadId(target)).isEmpty()) {
      throw S3Failure.noSuchUpload(uploadId(target));
    }
    target.store().abortUpload(upload(target));
    target.bucket().uploads().ended(uploadId(target));
    return HttpResponse.of(204, new Headers(), Payload.empty());
  }

  HttpResponse listParts(BucketRequest target) throws IOException {
    NavigableMap<Integer, UploadRegistry.Entry> parts =
        target
            .bucket()
            .uploads()
            .parts(uploadId(target))
            .orElseThrow(() -> S3Failure.noSuchUpload(uploadId(target)));
    int max = ListCalls.limit(target.query().first("max-parts"), MAX_LISTED_PARTS);
    int after = ListCalls.limit(target.query().first("part-number-marker"), Part.MAX_NUMBER, 0);
    List<UploadRegistry.Entry> page =
        parts.tailMap(after, false).values().stream().limit(max).toList();
    int last = page.isEmpty() ? after : page.get(page.size() - 1).part().number();
    boolean more = parts.higherKey(last) != null;
    AnswerXml xml =
        AnswerXml.of("ListPartsResult")
            .add("Bucket", target.call().bucket())
            .add("Key", target.key())
            .add("UploadId", uploadId(target))
            .add("PartNumberMarker", after)
            .add("NextPartNumberMarker", last)
            .add("MaxParts", max)
            .add("IsTruncated", more && max > 0)
            .add("StorageClass", "STANDARD");
    for (UploadRegistry.Entry entry : page) {
      xml.open("Part").add("PartNumber", entry.part().number());
      xml.time("LastModified", entry.stored()).etag(entry.part().etag());
      xml.add("Size", entry.part().sizeBytes()).close();
    }
    return xml.response();
  }

  private static String location(HttpRequest request) {
    String target = request.target();
    int mark = target.indexOf('?');
    return (request.tlsVersion().isEmpty() ? "http://" : "https://")
        + request.headers().first("Host").orElse("")
        + (mark < 0 ? target : target.substring(0, mark));
  }

  private static Upload upload(BucketRequest target) {
    return new Upload(target.key(), uploadId(target));
  }

  private static String uploadId(BucketRequest target) {
    return target.query().get("uploadId");
  }

  private static int partNumber(BucketRequest target) throws S3Failure {
    String text = target.query().get("partNumber");
    return inRange(text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0);
  }

  private static int inRange(int number) throws S3Failure {
    if (number < 1 || number > Part.MAX_NUMBER) {
      throw S3Failure.invalidArgument(
          "Part number must be an integer between 1 and 10000, inclusive");
    }
    return number;
  }
}
