/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ByteSink;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.ReadResult;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.keys.KeyLimits;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.PartsPage;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import io.penstock.core.store.versions.VersionsPage;
import io.penstock.s3.answers.Answers;
import io.penstock.s3.answers.BucketFailures;
import io.penstock.s3.answers.ContentCheck;
import io.penstock.s3.settings.S3Keys.Checksum;
import io.penstock.s3.settings.S3Options;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * Implements {@link ObjectStore} with the AWS SDK for Java: one request per call, no retries. A
 * request is repeated only after a refusal that its sender can cure, see {@link RegionalClient} and
 * {@link BodyChecksums}, and after one for want of a condition, see {@link DemandedConditions}.
 */
final class S3Store implements ObjectStore {
  private final String bucket;
  private final String endpoint;
  private final RegionalClient client;
  private final BucketFailures failures;
  private final SdkRequests requests;
  private final SdkReads reads;
  private final SdkDeletes deletions;
  private final SdkUploads uploads;
  private final BodyChecksums checksums;
  private final ConditionalWrites conditionalWrites;
  private final DemandedConditions demanded;
  private final StoreTraits traits;
  private final int requestsMax;

  /**
   * @param endpoint name of the endpoint; stores at the same endpoint have the same name
   */
  S3Store(
      String bucket,
      S3Options options,
      String endpoint,
      RegionalClient client,
      BodyChecksums checksums,
      ConditionalWrites conditionalWrites,
      DemandedConditions.Known demands) {
    this.bucket = bucket;
    this.failures = new BucketFailures(bucket);
    this.requests = new SdkRequests(bucket, options);
    this.endpoint = endpoint;
    this.client = client;
    this.reads = new SdkReads(failures, requests, client, new ContentCheck(options.checksReads()));
    this.demanded = new DemandedConditions(failures, reads, demands);
    this.deletions =
        new SdkDeletes(failures, requests, client, reads, demanded, options.endpoint().aws());
    this.uploads =
        new SdkUploads(failures, requests, client, reads, checksums, conditionalWrites, demanded);
    this.checksums = checksums;
    this.conditionalWrites = conditionalWrites;
    this.requestsMax = options.http().maxConnections();
    this.traits =
        options.endpoint().aws()
            ? new StoreTraits(options.partNumbering(), true, true, true, true)
            : StoreTraits.unknown(options.partNumbering());
  }

  @Override
  public String bucket() {
    return bucket;
  }

  @Override
  public String endpoint() {
    return endpoint;
  }

  @Override
  public int requestsMax() {
    return requestsMax;
  }

  @Override
  public StoreTraits traits() {
    return traits;
  }

  @Override
  public ObjectSlice get(String key, Range range, Optional<String> ifMatch) throws IOException {
    return reads.get(key, range, ifMatch);
  }

  @Override
  public ReadResult read(String key, ByteRange range, String etag, ByteSink sink)
      throws IOException {
    return reads.read(key, range, etag, sink);
  }

  @Override
  public ObjectMeta head(String key) throws IOException {
    return reads.head(key);
  }

  @Override
  public String put(String key, Body body, Condition condition) throws IOException {
    return demanded.write(
        Operation.PUT,
        key,
        condition,
        under -> put(key, body, under, conditionalWrites.isBare(bucket, under)));
  }

  /**
   * @param isBare whether the ETag of a condition is sent without quotes
   */
  String put(String key, Body body, Condition condition, boolean isBare) throws IOException {
    failures.checkKey(Operation.PUT, key);
    failures.checkCondition(Operation.PUT, key, condition);
    try {
      var answer = checksums.object(checksum -> put(key, body, condition, isBare, checksum));
      return failures.headerEtag(Operation.PUT, key, answer.eTag());
    } catch (StoreException e) {
      throw failures.missingForIfMatch(e, key, condition);
    }
  }

  private PutObjectResponse put(
      String key, Body body, Condition condition, boolean isBare, Checksum checksum)
      throws IOException {
    var request =
        withContent(Operation.PUT, key, () -> requests.put(key, body, condition, isBare, checksum));
    return send(Operation.PUT, key, body, (s3, content) -> s3.putObject(request, content));
  }

  @Override
  public String copy(String sourceKey, String key, Optional<String> sourceIfMatch)
      throws IOException {
    failures.checkKey(Operation.COPY, key);
    failures.checkPresence(Operation.COPY, sourceKey);
    // A condition that fails must be one of the target.
    boolean isDoubtful = sourceIfMatch.isPresent() && demanded.isOnWrites();
    if (isDoubtful || sourceIfMatch.filter(Etags::isWeak).isPresent()) {
      reads.requireEtag(Operation.COPY, sourceKey, sourceIfMatch.get());
    }
    var answer =
        demanded.write(
            Operation.COPY,
            key,
            Condition.NONE,
            under ->
                client.call(
                    Operation.COPY,
                    key,
                    s3 -> s3.copyObject(requests.copy(sourceKey, key, sourceIfMatch, under))));
    return failures.etag(
        Operation.COPY,
        key,
        answer.copyObjectResult() == null ? null : answer.copyObjectResult().eTag());
  }

  @Override
  public void delete(String key, Condition condition) throws IOException {
    deletions.delete(key, condition);
  }

  @Override
  public Map<String, StoreException> deleteAll(Map<String, Condition> keys) throws IOException {
    return deletions.deleteAll(keys);
  }

  @Override
  public ListPage list(ListRequest request) throws IOException {
    String object = failures.object(request.prefix());
    ListObjectsV2Response answer =
        client.call(Operation.LIST, request.prefix(), s3 -> list(s3, request));
    if (answer.encodingType() != EncodingType.URL && !KeyLimits.fitsXml(request.prefix())) {
      throw Answers.notInXml(object);
    }
    ListPage page = Answers.list(object, answer);
    Answers.requireProgress(object, request, page.nextToken());
    return page;
  }

  @Override
  public VersionsPage listVersions(ListRequest request) throws IOException {
    return reads.listVersions(request);
  }

  @Override
  public ObjectSlice getVersion(String key, String versionId, Range range) throws IOException {
    return reads.getVersion(key, versionId, range);
  }

  @Override
  public Map<String, StoreException> deleteVersions(Map<String, String> versions)
      throws IOException {
    return deletions.deleteVersions(versions);
  }

  @Override
  public Part uploadPart(Upload upload, PartNumbers numbers, Body body) throws IOException {
    int number = numbers.first();
    var answer = checksums.part(checksum -> part(upload, number, body, checksum));
    return new Part(
        number,
        failures.headerEtag(Operation.UPLOAD_PART, upload.key(), answer.eTag()),
        body.sizeBytes());
  }

  private UploadPartResponse part(Upload upload, int number, Body body, Checksum checksum)
      throws IOException {
    var request =
        withContent(
            Operation.UPLOAD_PART,
            upload.key(),
            () -> requests.part(upload, number, body, checksum));
    return send(
        Operation.UPLOAD_PART,
        upload.key(),
        body,
        (s3, content) -> s3.uploadPart(request, content));
  }

  @Override
  public Part copyPart(
      Upload upload, int number, String sourceKey, ByteRange range, Optional<String> sourceIfMatch)
      throws IOException {
    failures.checkPresence(Operation.COPY_PART, sourceKey);
    var answer =
        client.call(
            Operation.COPY_PART,
            upload.key(),
            s3 ->
                s3.uploadPartCopy(
                    requests.copyPart(upload, number, sourceKey, range, sourceIfMatch)));
    String etag = answer.copyPartResult() == null ? null : answer.copyPartResult().eTag();
    return new Part(
        number, failures.etag(Operation.COPY_PART, upload.key(), etag), range.lengthBytes());
  }

  /**
   * Sends a listing. Ceph's answer repeats the requested prefix as it is, although it says that
   * names are encoded, so the SDK fails to decode a prefix with a per cent sign. Such a prefix is
   * listed without an encoding.
   */
  private ListObjectsV2Response list(S3Client s3, ListRequest request) {
    try {
      // Without an encoding, a key with a control character would make the answer invalid XML.
      return s3.listObjectsV2(requests.list(request, Optional.of(EncodingType.URL)));
    } catch (IllegalArgumentException notEncoded) {
      return s3.listObjectsV2(requests.list(request, Optional.empty()));
    }
  }

  @Override
  public Upload createUpload(String key, Optional<String> writeId, UserMetadata user)
      throws IOException {
    return uploads.create(key, writeId, user);
  }

  @Override
  public String completeUpload(PendingUpload pending, Condition condition) throws IOException {
    return uploads.complete(pending, condition);
  }

  @Override
  public void abortUpload(Upload upload) throws IOException {
    uploads.abort(upload);
  }

  @Override
  public UploadsPage listUploads(String prefix, Optional<String> token) throws IOException {
    return uploads.list(prefix, token);
  }

  @Override
  public PartsPage listParts(Upload upload, Optional<String> token) throws IOException {
    return uploads.parts(upload, token);
  }

  @Override
  public boolean supportsConditionalWrites(String key) throws IOException {
    return conditionalWrites.supportedBy(this, key);
  }

  @Override
  public boolean supportsConditionalCompletes(String key) throws IOException {
    return conditionalWrites.supportedBy(this, key)
        && !conditionalWrites.isIgnoredByComplete(bucket(), Condition.IF_ABSENT);
  }

  @Override
  public void close() {
    client.close();
  }

  /**
   * Sends a request with a body. If the body cannot be read, the exception says so: this is a
   * failure of the caller, not of the store.
   */
  private <T> T send(
      Operation operation, String key, Body body, BiFunction<S3Client, RequestBody, T> request)
      throws IOException {
    try (ReplayableBody content = new ReplayableBody(body)) {
      try {
        return client.call(operation, key, s3 -> request.apply(s3, content.toRequestBody()));
      } catch (IOException e) {
        if (content.failure() != null) {
          throw failures.unreadable(operation, key, content.failure());
        }
        throw e;
      }
    }
  }

  /** A function that reads a body's content, for example to make a checksum. */
  @FunctionalInterface
  private interface OfContent<T> {
    T make() throws IOException;
  }

  private <T> T withContent(Operation operation, String key, OfContent<T> made) throws IOException {
    try {
      return made.make();
    } catch (IOException e) {
      throw failures.unreadable(operation, key, e);
    }
  }
}
