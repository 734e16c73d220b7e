/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.Range;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.answers.Answers;
import io.penstock.s3.answers.Answers.UploadsMarker;
import io.penstock.s3.settings.AccessPoint;
import io.penstock.s3.settings.S3Keys.Checksum;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListPartsRequest;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartCopyRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Translates calls of {@link io.penstock.core.store.ObjectStore} into requests of the SDK, and adds
 * to each the headers that the settings ask for.
 */
final class SdkRequests {
  /** The If-Match that any object meets. */
  private static final String ANY = "*";

  private final String bucket;
  private final ExtraHeaders headers;

  SdkRequests(String bucket, S3Options options) {
    this.bucket = options.accessPoint().map(AccessPoint::arn).orElse(bucket);
    this.headers = ExtraHeaders.of(options);
  }

  GetObjectRequest get(String key, Range range, Optional<String> ifMatch) {
    return GetObjectRequest.builder()
        .bucket(bucket)
        .key(key)
        .range(range.toHeader())
        .ifMatch(Answers.ifMatch(ifMatch))
        .overrideConfiguration(headers.read())
        .build();
  }

  HeadObjectRequest head(String key) {
    return HeadObjectRequest.builder()
        .bucket(bucket)
        .key(key)
        .overrideConfiguration(headers.read())
        .build();
  }

  /**
   * @param isBare whether the ETag of a condition is sent without quotes
   */
  PutObjectRequest put(
      String key, Body body, Condition condition, boolean isBare, Checksum checksum)
      throws IOException {
    return PutObjectRequest.builder()
        .bucket(bucket)
        .key(key)
        .ifNoneMatch(ifNoneMatch(condition))
        .ifMatch(ifMatch(condition, isBare))
        .metadata(metadata(condition.writeId(), body.user()))
        .overrideConfiguration(withChecksum(headers.write(), checksum, body))
        .build();
  }

  CopyObjectRequest copy(
      String sourceKey, String key, Optional<String> sourceIfMatch, Condition condition) {
    return CopyObjectRequest.builder()
        .sourceBucket(bucket)
        .sourceKey(sourceKey)
        .destinationBucket(bucket)
        .destinationKey(key)
        .copySourceIfMatch(Answers.ifMatch(sourceIfMatch))
        .ifNoneMatch(ifNoneMatch(condition))
        .ifMatch(ifMatch(condition, false))
        .overrideConfiguration(headers.copy())
        .build();
  }

  /**
   * @param isForced whether a condition is sent in any case, if need be one that any object meets
   */
  DeleteObjectRequest delete(String key, Condition condition, boolean isForced) {
    String etag = Answers.ifMatch(condition.etagToDelete());
    return DeleteObjectRequest.builder()
        .bucket(bucket)
        .key(key)
        .ifMatch(etag == null && isForced ? ANY : etag)
        .overrideConfiguration(headers.other())
        .build();
  }

  /**
   * Asks for an answer that names each key, because a key that is not named may not be deleted.
   *
   * @param isForced whether a condition is sent for each key, if need be one that any object meets
   */
  DeleteObjectsRequest deleteAll(Map<String, Condition> keys, boolean isForced) {
    List<ObjectIdentifier> objects = new ArrayList<>();
    keys.forEach(
        (key, condition) -> {
          String etag = Answers.ifMatch(condition.etagToDelete());
          objects.add(
              ObjectIdentifier.builder()
                  .key(key)
                  .eTag(etag == null && isForced ? ANY : etag)
                  .build());
        });
    return deleteAll(objects);
  }

  ListObjectsV2Request list(ListRequest request, Optional<EncodingType> names) {
    return ListObjectsV2Request.builder()
        .bucket(bucket)
        .prefix(request.prefix())
        .delimiter(textOrNull(request.delimiter()))
        .startAfter(textOrNull(request.startAfter()))
        .continuationToken(request.token().orElse(null))
        .maxKeys(request.maxKeys())
        .encodingType(names.orElse(null))
        .overrideConfiguration(headers.other())
        .build();
  }

  ListObjectVersionsRequest listVersions(ListRequest request) {
    Optional<UploadsMarker> marker = request.token().map(UploadsMarker::of);
    return ListObjectVersionsRequest.builder()
        .bucket(bucket)
        .prefix(request.prefix())
        .delimiter(textOrNull(request.delimiter()))
        .keyMarker(marker.map(UploadsMarker::key).orElse(textOrNull(request.startAfter())))
        .versionIdMarker(marker.map(UploadsMarker::uploadId).orElse(null))
        .maxKeys(request.maxKeys())
        .encodingType(EncodingType.URL)
        .overrideConfiguration(headers.other())
        .build();
  }

  GetObjectRequest getVersion(String key, String versionId, Range range) {
    return get(key, range, Optional.empty()).toBuilder().versionId(versionId).build();
  }

  /**
   * @param versions the id of a version of each key
   */
  DeleteObjectsRequest deleteVersions(Map<String, String> versions) {
    List<ObjectIdentifier> objects = new ArrayList<>();
    versions.forEach(
        (key, id) -> objects.add(ObjectIdentifier.builder().key(key).versionId(id).build()));
    return deleteAll(objects);
  }

  DeleteObjectRequest deleteVersion(String key, String id) {
    return delete(key, Condition.NONE, false).toBuilder().versionId(id).build();
  }

  private DeleteObjectsRequest deleteAll(List<ObjectIdentifier> objects) {
    return DeleteObjectsRequest.builder()
        .bucket(bucket)
        .delete(delete -> delete.objects(objects).quiet(false))
        .overrideConfiguration(headers.other())
        .build();
  }

  /**
   * @param declared the algorithm of the checksums of all parts, and of that of the full object,
   *     which the store makes of them; {@link Checksum#NONE} for none
   */
  CreateMultipartUploadRequest create(
      String key, Optional<String> writeId, UserMetadata user, Checksum declared) {
    CreateMultipartUploadRequest.Builder builder =
        CreateMultipartUploadRequest.builder()
            .bucket(bucket)
            .key(key)
            .metadata(metadata(writeId, user))
            .overrideConfiguration(headers.write());
    if (declared != Checksum.NONE) {
      builder.checksumAlgorithm(declared.name()).checksumType(ChecksumType.FULL_OBJECT);
    }
    return builder.build();
  }

  UploadPartRequest part(Upload upload, int number, Body body, Checksum checksum)
      throws IOException {
    return UploadPartRequest.builder()
        .bucket(bucket)
        .key(upload.key())
        .uploadId(upload.uploadId())
        .partNumber(number)
        .overrideConfiguration(withChecksum(headers.part(), checksum, body))
        .build();
  }

  /** Adds the checksum as a header. The SDK's trailer needs chunks, which other stores refuse. */
  private static AwsRequestOverrideConfiguration withChecksum(
      AwsRequestOverrideConfiguration headers, Checksum checksum, Body body) throws IOException {
    return checksum == Checksum.NONE
        ? headers
        : headers.toBuilder()
            .putHeader(Checksums.header(checksum), Checksums.of(checksum, body))
            .build();
  }

  UploadPartCopyRequest copyPart(
      Upload upload,
      int number,
      String sourceKey,
      ByteRange range,
      Optional<String> sourceIfMatch) {
    return UploadPartCopyRequest.builder()
        .sourceBucket(bucket)
        .sourceKey(sourceKey)
        .copySourceRange(range.toHeader())
        .copySourceIfMatch(sourceIfMatch.orElse(null))
        .destinationBucket(bucket)
        .destinationKey(upload.key())
        .uploadId(upload.uploadId())
        .partNumber(number)
        .overrideConfiguration(headers.copyPart())
        .build();
  }

  /**
   * @param isBare whether the ETag of a condition is sent without quotes
   * @param checksums the checksums of the parts by their numbers; empty if they are not sent
   */
  CompleteMultipartUploadRequest complete(
      PendingUpload pending,
      Condition condition,
      boolean isBare,
      Map<Integer, CompletedPart> checksums) {
    List<CompletedPart> parts =
        pending.parts().stream().map(part -> completed(part, checksums)).toList();
    return CompleteMultipartUploadRequest.builder()
        .bucket(bucket)
        .key(pending.key())
        .uploadId(pending.upload().uploadId())
        .multipartUpload(list -> list.parts(parts))
        .ifNoneMatch(ifNoneMatch(condition))
        .ifMatch(ifMatch(condition, isBare))
        .overrideConfiguration(headers.part())
        .build();
  }

  AbortMultipartUploadRequest abort(Upload upload) {
    return AbortMultipartUploadRequest.builder()
        .bucket(bucket)
        .key(upload.key())
        .uploadId(upload.uploadId())
        .overrideConfiguration(headers.other())
        .build();
  }

  ListMultipartUploadsRequest listUploads(
      String prefix, Optional<String> token, Optional<EncodingType> names) {
    Optional<UploadsMarker> marker = token.map(UploadsMarker::of);
    return ListMultipartUploadsRequest.builder()
        .bucket(bucket)
        .prefix(prefix)
        .keyMarker(marker.map(UploadsMarker::key).orElse(null))
        .uploadIdMarker(marker.map(UploadsMarker::uploadId).orElse(null))
        .encodingType(names.orElse(null))
        .overrideConfiguration(headers.other())
        .build();
  }

  ListPartsRequest listParts(Upload upload, Optional<String> token) {
    return ListPartsRequest.builder()
        .bucket(bucket)
        .key(upload.key())
        .uploadId(upload.uploadId())
        .partNumberMarker(token.map(Integer::valueOf).orElse(null))
        .overrideConfiguration(headers.other())
        .build();
  }

  private static CompletedPart completed(Part part, Map<Integer, CompletedPart> checksums) {
    return Optional.ofNullable(checksums.get(part.number()))
        .map(CompletedPart::toBuilder)
        .orElseGet(CompletedPart::builder)
        .partNumber(part.number())
        .eTag(Answers.quoted(part.etag()))
        .build();
  }

  private static Map<String, String> metadata(Optional<String> writeId, UserMetadata user) {
    if (user.isEmpty()) {
      return writeId.map(value -> Map.of(Answers.WRITE_ID, value)).orElse(null);
    }
    Map<String, String> all = new HashMap<>(user.values());
    writeId.ifPresent(value -> all.put(Answers.WRITE_ID, value));
    return all;
  }

  private static String ifNoneMatch(Condition condition) {
    return condition instanceof Condition.IfAbsent ? "*" : null;
  }

  private static String ifMatch(Condition condition, boolean isBare) {
    if (condition instanceof Condition.IfMatch match) {
      return isBare ? match.etag() : Answers.quoted(match.etag());
    }
    return null;
  }

  private static String textOrNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
