/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.keys.KeyOrder;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import io.penstock.emulator.api.AnswerXml;
import io.penstock.emulator.api.UrlText;
import io.penstock.emulator.http.HttpResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Answers the list operations. */
final class ListCalls {
  /** Sorts after every key that continues the text before it. */
  private static final String LAST_CODE_POINT = Character.toString(Character.MAX_CODE_POINT);

  HttpResponse buckets(Buckets buckets) {
    AnswerXml xml = AnswerXml.of("ListAllMyBucketsResult");
    xml.open("Owner").add("ID", "penstock").add("DisplayName", "penstock").close();
    xml.open("Buckets");
    buckets
        .all()
        .forEach(
            (name, bucket) ->
                xml.open("Bucket")
                    .add("Name", name)
                    .time("CreationDate", bucket.created())
                    .close());
    return xml.close().response();
  }

  HttpResponse objectsV2(BucketRequest target) throws IOException {
    Optional<String> token = target.query().first("continuation-token");
    String after = target.query().get("start-after");
    int max = limit(target.query().first("max-keys"), ListRequest.MAX_KEYS);
    ListPage page = page(target, after, token.isPresent() ? token(token.get()) : token, max);
    UnaryOperator<String> text = encoding(target);
    AnswerXml xml = AnswerXml.of("ListBucketResult").add("Name", target.call().bucket());
    xml.add("Prefix", text.apply(target.query().get("prefix")));
    token.ifPresent(given -> xml.add("ContinuationToken", given));
    if (!after.isEmpty()) {
      xml.add("StartAfter", text.apply(after));
    }
    xml.add("KeyCount", page.objects().size() + page.groups().size());
    page.nextToken()
        .ifPresent(
            next ->
                xml.add(
                    "NextContinuationToken",
                    Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(next.getBytes(StandardCharsets.UTF_8))));
    return withPage(xml, target, page, max, text);
  }

  HttpResponse objects(BucketRequest target) throws IOException {
    String delimiter = target.query().get("delimiter");
    String marker = target.query().get("marker");
    int max = limit(target.query().first("max-keys"), ListRequest.MAX_KEYS);
    // A marker that equals a common prefix means: continue after the whole group.
    boolean isGroup = !delimiter.isEmpty() && marker.endsWith(delimiter);
    String after = isGroup ? marker + LAST_CODE_POINT : marker;
    ListPage page = page(target, after, Optional.empty(), max);
    UnaryOperator<String> text = encoding(target);
    AnswerXml xml = AnswerXml.of("ListBucketResult").add("Name", target.call().bucket());
    xml.add("Prefix", text.apply(target.query().get("prefix")));
    xml.add("Marker", text.apply(marker));
    if (page.nextToken().isPresent() && !delimiter.isEmpty()) {
      xml.add("NextMarker", text.apply(last(page)));
    }
    return withPage(xml, target, page, max, text);
  }

  private static ListPage page(BucketRequest target, String after, Optional<String> token, int max)
      throws IOException {
    if (max == 0) {
      return new ListPage(List.of(), List.of(), Optional.empty());
    }
    try {
      return target
          .store()
          .list(
              new ListRequest(
                  target.query().get("prefix"),
                  target.query().get("delimiter"),
                  after,
                  token,
                  max));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw S3Failure.invalidArgument("The continuation token provided is incorrect");
    }
  }

  private static HttpResponse withPage(
      AnswerXml xml, BucketRequest target, ListPage page, int max, UnaryOperator<String> text) {
    xml.add("MaxKeys", max);
    target.query().first("delimiter").ifPresent(d -> xml.add("Delimiter", text.apply(d)));
    target.query().first("encoding-type").ifPresent(type -> xml.add("EncodingType", type));
    xml.add("IsTruncated", page.nextToken().isPresent());
    for (ObjectMeta object : page.objects()) {
      xml.open("Contents").add("Key", text.apply(object.key()));
      xml.time("LastModified", object.lastModified()).etag(object.etag());
      xml.add("Size", object.sizeBytes()).add("StorageClass", "STANDARD").close();
    }
    for (String group : page.groups()) {
      xml.open("CommonPrefixes").add("Prefix", text.apply(group)).close();
    }
    return xml.response();
  }

  HttpResponse versions(BucketRequest target) throws IOException {
    String keyMarker = target.query().get("key-marker");
    String idMarker = target.query().get("version-id-marker");
    int max = Math.max(1, limit(target.query().first("max-keys"), ListRequest.MAX_KEYS));
    // A store's token is what both markers are made of.
    VersionsPage page =
        target
            .store()
            .listVersions(
                new ListRequest(
                    target.query().get("prefix"),
                    target.query().get("delimiter"),
                    keyMarker,
                    idMarker.isEmpty() ? Optional.empty() : Optional.of(idMarker + " " + keyMarker),
                    max));
    UnaryOperator<String> text = encoding(target);
    AnswerXml xml = AnswerXml.of("ListVersionsResult").add("Name", target.call().bucket());
    xml.add("Prefix", text.apply(target.query().get("prefix")));
    xml.add("KeyMarker", text.apply(keyMarker)).add("VersionIdMarker", idMarker);
    page.nextToken()
        .ifPresent(
            next -> {
              int end = next.indexOf(' ');
              xml.add("NextKeyMarker", text.apply(next.substring(end + 1)));
              xml.add("NextVersionIdMarker", next.substring(0, end));
            });
    xml.add("MaxKeys", max).add("IsTruncated", page.nextToken().isPresent());
    target.query().first("encoding-type").ifPresent(type -> xml.add("EncodingType", type));
    for (ObjectVersion version : page.versions()) {
      xml.open(version.isMarker() ? "DeleteMarker" : "Version");
      xml.add("Key", text.apply(version.key())).add("VersionId", version.versionId());
      xml.add("IsLatest", version.isLatest()).time("LastModified", version.lastModified());
      if (!version.isMarker()) {
        xml.etag(version.etag()).add("Size", version.sizeBytes());
        xml.add("StorageClass", "STANDARD");
      }
      xml.close();
    }
    return xml.response();
  }

  private static String last(ListPage page) {
    List<String> names = new ArrayList<>(page.groups());
    page.objects().forEach(object -> names.add(object.key()));
    return names.stream().max(KeyOrder.INSTANCE).orElse("");
  }

  HttpResponse uploads(BucketRequest target) throws IOException {
    String keyMarker = target.query().get("key-marker");
    String idMarker = target.query().get("upload-id-marker");
    int max = limit(target.query().first("max-uploads"), ListRequest.MAX_KEYS);
    List<UploadsPage.Listed> left = new ArrayList<>();
    for (UploadsPage.Listed listed : sortedUploads(target)) {
      int order = KeyOrder.INSTANCE.compare(listed.upload().key(), keyMarker);
      boolean isLater =
          order > 0
              || (order == 0
                  && !idMarker.isEmpty()
                  && listed.upload().uploadId().compareTo(idMarker) > 0);
      if (isLater || keyMarker.isEmpty()) {
        left.add(listed);
      }
    }
    List<UploadsPage.Listed> page = left.subList(0, Math.min(max, left.size()));
    UnaryOperator<String> text = encoding(target);
    AnswerXml xml =
        AnswerXml.of("ListMultipartUploadsResult").add("Bucket", target.call().bucket());
    xml.add("KeyMarker", text.apply(keyMarker)).add("UploadIdMarker", idMarker);
    xml.add("Prefix", text.apply(target.query().get("prefix"))).add("MaxUploads", max);
    boolean isTruncated = page.size() < left.size() && !page.isEmpty();
    if (isTruncated) {
      UploadsPage.Listed last = page.get(page.size() - 1);
      xml.add("NextKeyMarker", text.apply(last.upload().key()));
      xml.add("NextUploadIdMarker", last.upload().uploadId());
    }
    xml.add("IsTruncated", isTruncated);
    target.query().first("encoding-type").ifPresent(type -> xml.add("EncodingType", type));
    for (UploadsPage.Listed listed : page) {
      xml.open("Upload").add("Key", text.apply(listed.upload().key()));
      xml.add("UploadId", listed.upload().uploadId()).add("StorageClass", "STANDARD");
      xml.time("Initiated", listed.initiated()).close();
    }
    return xml.response();
  }

  private static List<UploadsPage.Listed> sortedUploads(BucketRequest target) throws IOException {
    List<UploadsPage.Listed> all = new ArrayList<>();
    Optional<String> token = Optional.empty();
    do {
      UploadsPage page = target.store().listUploads(target.query().get("prefix"), token);
      all.addAll(page.uploads());
      token = page.nextToken();
    } while (token.isPresent());
    Comparator<UploadsPage.Listed> byKey =
        Comparator.comparing(listed -> listed.upload().key(), KeyOrder.INSTANCE);
    all.sort(byKey.thenComparing(listed -> listed.upload().uploadId()));
    return all;
  }

  private static UnaryOperator<String> encoding(BucketRequest target) throws S3Failure {
    Optional<String> type = target.query().first("encoding-type");
    if (type.isEmpty()) {
      return text -> text;
    }
    if (!type.get().equals("url")) {
      throw S3Failure.invalidArgument("Invalid Encoding Method specified in Request");
    }
    return text -> UrlText.encode(text, true);
  }

  private static Optional<String> token(String given) throws S3Failure {
    try {
      return Optional.of(new String(Base64.getUrlDecoder().decode(given), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw S3Failure.invalidArgument("The continuation token provided is incorrect");
    }
  }

  static int limit(Optional<String> given, int most) throws S3Failure {
    return limit(given, most, most);
  }

  static int limit(Optional<String> given, int most, int byDefault) throws S3Failure {
    if (given.isEmpty() || given.get().isEmpty()) {
      return byDefault;
    }
    if (!given.get().matches("[0-9]{1,9}")) {
      throw S3Failure.invalidArgument("not a number of 0 or more: " + given.get());
    }
    return Math.min(most, Integer.parseInt(given.get()));
  }
}
