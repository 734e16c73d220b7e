/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import io.penstock.core.store.Etags;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.KeyOrder;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.ObjectVersion;
import io.penstock.core.store.versions.VersionsPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Translates the SDK's answers into the values of {@link io.penstock.core.store.ObjectStore}. */
public final class Answers {
  /** The user metadata that carries a write's write id, as {@code x-amz-meta-penstock-write}. */
  public static final String WRITE_ID = "penstock-write";

  private static final Set<String> ARCHIVES = Set.of("GLACIER", "DEEP_ARCHIVE");

  private Answers() {}

  /**
   * Returns the ETag that the store sent, without quotes, or as it is if it is weak; empty if the
   * store sent none.
   */
  static String etag(String sent) {
    if (sent == null) {
      return "";
    }
    boolean quoted = sent.length() >= 2 && sent.startsWith("\"") && sent.endsWith("\"");
    return quoted ? sent.substring(1, sent.length() - 1) : sent;
  }

  /**
   * Returns the ETag that the store sent. If it sent none, returns one of the time and the size;
   * empty if it sent no time either.
   */
  static String etag(String sent, Instant lastModified, long sizeBytes) {
    String etag = etag(sent);
    return etag.isEmpty() && lastModified != null ? Etags.ofTime(lastModified, sizeBytes) : etag;
  }

  public static String quoted(String etag) {
    return Etags.isWeak(etag) ? etag : "\"" + etag + "\"";
  }

  /** Returns the value of an If-Match; null for a weak ETag, which never meets that condition. */
  public static String ifMatch(Optional<String> etag) {
    return etag.filter(tag -> !Etags.isWeak(tag)).map(Answers::quoted).orElse(null);
  }

  static Optional<String> writeId(Map<String, String> metadata) {
    return Optional.ofNullable(metadata.get(WRITE_ID));
  }

  /** Returns what others, too, may have written there, as it is. */
  static UserMetadata user(Map<String, String> metadata) {
    if (metadata.isEmpty() || (metadata.size() == 1 && metadata.containsKey(WRITE_ID))) {
      return UserMetadata.NONE;
    }
    SortedMap<String, String> user = new TreeMap<>();
    metadata.forEach((name, value) -> user.put(name.toLowerCase(Locale.ROOT), value));
    user.remove(WRITE_ID);
    return new UserMetadata(user);
  }

  public static ObjectMeta head(String key, HeadObjectResponse answer, long sizeBytes) {
    return new ObjectMeta(
        key,
        sizeBytes,
        etag(answer.eTag(), answer.lastModified(), sizeBytes),
        instant(answer.lastModified()),
        writeId(answer.metadata()),
        user(answer.metadata()));
  }

  /**
   * Reads a page of a listing.
   *
   * @param object what is listed, for messages
   */
  public static ListPage list(String object, ListObjectsV2Response answer) throws StoreException {
    if (answer.isTruncated() == null && answer.name() == null && !answer.hasContents()) {
      throw empty(Operation.LIST, object);
    }
    if (answer.contents().stream().anyMatch(entry -> entry.key() == null || entry.size() == null)) {
      throw StoreException.of(
          Kind.NOT_S3,
          Operation.LIST,
          object,
          "the answer has an entry that lacks a key or a size.");
    }
    List<ObjectMeta> objects = answer.contents().stream().map(Answers::listed).toList();
    List<String> groups = answer.commonPrefixes().stream().map(CommonPrefix::prefix).toList();
    boolean more = Boolean.TRUE.equals(answer.isTruncated());
    return new ListPage(
        objects,
        groups,
        more
            ? Optional.of(next(Operation.LIST, object, answer.nextContinuationToken()))
            : Optional.empty(),
        HttpDates.of(answer.sdkHttpResponse()));
  }

  /**
   * Reads a page of versions. Leaves out what versitygw repeats: the last version of the page
   * before, and those of the key that the listing is to start after.
   *
   * @param object what is listed, for messages
   */
  public static VersionsPage versions(
      String object, ListRequest request, ListObjectVersionsResponse answer) throws StoreException {
    boolean isNothing = !answer.hasVersions() && !answer.hasDeleteMarkers();
    if (answer.isTruncated() == null && answer.name() == null && isNothing) {
      throw empty(Operation.LIST, object);
    }
    List<ObjectVersion> versions = new ArrayList<>();
    for (var version : answer.versions()) {
      if (version.key() == null || version.size() == null || version.versionId() == null) {
        throw incomplete(object);
      }
      versions.add(
          new ObjectVersion(
              version.key(),
              version.versionId(),
              false,
              Boolean.TRUE.equals(version.isLatest()),
              version.size(),
              etag(version.eTag(), version.lastModified(), version.size()),
              instant(version.lastModified()),
              ARCHIVES.contains(String.valueOf(version.storageClassAsString()))));
    }
    for (var marker : answer.deleteMarkers()) {
      if (marker.key() == null || marker.versionId() == null) {
        throw incomplete(object);
      }
      versions.add(
          new ObjectVersion(
              marker.key(),
              marker.versionId(),
              true,
              Boolean.TRUE.equals(marker.isLatest()),
              0,
              "",
              instant(marker.lastModified()),
              false));
    }
    versions.sort(Comparator.comparing(ObjectVersion::key, KeyOrder.INSTANCE)); // stable
    Optional<UploadsMarker> last = request.token().map(UploadsMarker::of);
    versions.removeIf(
        version ->
            last.isPresent()
                ? last.get().equals(new UploadsMarker(version.key(), version.versionId()))
                : version.key().equals(request.startAfter()));
    boolean more = Boolean.TRUE.equals(answer.isTruncated());
    return new VersionsPage(
        versions,
        more
            ? Optional.of(
                new UploadsMarker(
                        next(Operation.LIST, object, answer.nextKeyMarker()),
                        answer.nextVersionIdMarker())
                    .token())
            : Optional.empty());
  }

  /** Returns the failure for a prefix that a store without an encoding cannot show. */
  public static StoreException notInXml(String object) {
    return StoreException.of(
        Kind.UNSUPPORTED,
        Operation.LIST,
        object,
        "the name has a character that XML cannot carry, and this store lists it as a different"
            + " character.");
  }

  /** Fails if the listing would never end. */
  public static void requireProgress(String object, ListRequest request, Optional<String> next)
      throws StoreException {
    if (next.isPresent() && next.equals(request.token())) {
      throw StoreException.of(
          Kind.NOT_S3,
          Operation.LIST,
          object,
          "the answer repeats the continuation token of the request, so the listing would never"
              + " end.");
    }
  }

  private static StoreException incomplete(String object) {
    return StoreException.of(
        Kind.NOT_S3,
        Operation.LIST,
        object,
        "the answer has a version that lacks a key, an id or a size.");
  }

  /**
   * Reads a page of the uploads in progress.
   *
   * @param object what is listed, for messages
   */
  public static UploadsPage uploads(String object, ListMultipartUploadsResponse answer)
      throws StoreException {
    if (answer.isTruncated() == null && answer.bucket() == null && !answer.hasUploads()) {
      throw empty(Operation.LIST_UPLOADS, object);
    }
    List<UploadsPage.Listed> uploads = answer.uploads().stream().map(Answers::listed).toList();
    boolean more = Boolean.TRUE.equals(answer.isTruncated());
    return new UploadsPage(
        uploads,
        more
            ? Optional.of(
                new UploadsMarker(
                        next(Operation.LIST_UPLOADS, object, answer.nextKeyMarker()),
                        answer.nextUploadIdMarker())
                    .token())
            : Optional.empty());
  }

  /**
   * Reads a page of the parts of an upload.
   *
   * @param object the object whose parts are listed, for messages
   */
  public static PartsPage parts(String object, ListPartsResponse answer) throws StoreException {
    if (answer.isTruncated() == null && answer.uploadId() == null && !answer.hasParts()) {
      throw empty(Operation.LIST_PARTS, object);
    }
    List<Part> parts =
        answer.parts().stream()
            .map(
                part ->
                    new Part(
                        part.partNumber(),
                        etag(part.eTag()),
                        part.size() == null ? 0 : part.size()))
            .toList();
    if (!Boolean.TRUE.equals(answer.isTruncated())) {
      return new PartsPage(parts, Optional.empty());
    }
    String last = parts.isEmpty() ? "" : Integer.toString(parts.get(parts.size() - 1).number());
    return new PartsPage(parts, Optional.of(next(Operation.LIST_PARTS, object, last)));
  }

  /** Returns the checksums that the store has of the parts, by the parts' numbers. */
  public static Map<Integer, CompletedPart> checksums(ListPartsResponse answer) {
    return answer.parts().stream()
        .collect(
            Collectors.toMap(
                part -> part.partNumber(),
                part ->
                    CompletedPart.builder()
                        .checksumCRC32(part.checksumCRC32())
                        .checksumCRC32C(part.checksumCRC32C())
                        .checksumCRC64NVME(part.checksumCRC64NVME())
                        .build()));
  }

  /**
   * Returns the failure for an answer without content, which must not be taken for an empty
   * listing.
   */
  private static StoreException empty(Operation operation, String object) {
    return StoreException.of(Kind.CONNECTION_LOST, operation, object, "the answer is empty.");
  }

  /**
   * Returns the token of the next page. If the page is not the last one but has no token, throws:
   * the page must not be taken for the end.
   */
  private static String next(Operation operation, String object, String sent)
      throws StoreException {
    if (sent == null || sent.isEmpty()) {
      throw StoreException.of(
          Kind.NOT_S3,
          operation,
          object,
          "the answer is a truncated listing without the token of the next page. The store, or a"
              + " proxy in front of it, does not page as S3 does.");
    }
    return sent;
  }

  /** The last upload of a page. S3 needs both values to return the next page. */
  public record UploadsMarker(String key, String uploadId) {
    /**
     * Returns the token. The upload id comes first because it has no line break, while a key may
     * have one.
     */
    String token() {
      return Optional.ofNullable(uploadId).orElse("") + "\n" + key;
    }

    public static UploadsMarker of(String token) {
      int end = token.indexOf('\n');
      String id = token.substring(0, end);
      return new UploadsMarker(token.substring(end + 1), id.isEmpty() ? null : id);
    }
  }

  private static ObjectMeta listed(S3Object object) {
    return new ObjectMeta(
        object.key(),
        object.size(),
        etag(object.eTag(), object.lastModified(), object.size()),
        instant(object.lastModified()));
  }

  private static UploadsPage.Listed listed(MultipartUpload upload) {
    return new UploadsPage.Listed(
        new Upload(upload.key(), upload.uploadId()), instant(upload.initiated()));
  }

  private static Instant instant(Instant sent) {
    return Optional.ofNullable(sent).orElse(Instant.EPOCH);
  }
}
