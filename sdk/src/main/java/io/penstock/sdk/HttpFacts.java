/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Operation;
import io.penstock.core.store.Range;
import io.penstock.core.store.SuffixRange;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * What an HTTP request to S3 is about.
 *
 * @param endpoint names the store, without the bucket
 * @param key the object, or the prefix of a listing
 * @param isConditional true for a write with a condition: if it is made twice, the second time may
 *     be refused
 * @param range the bytes that a GET asks for; empty for all
 */
record HttpFacts(
    Operation operation,
    String endpoint,
    String bucket,
    String key,
    boolean isConditional,
    Optional<Range> range) {
  private static final Pattern SCRATCH =
      Pattern.compile(
          "(?:^|/)(?:(?:__magic_job-|\\.spark-staging-)[^/]{12,}"
              + "|attempt_[0-9]{8,}_[0-9]{4,}_[a-z]_[0-9]+_[0-9]+)/");
  private static final Pattern SERVICE =
      Pattern.compile("Credential=[^,]*/([a-z0-9-]+)/aws4_request");
  private static final Pattern BOUNDED = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{1,18})");
  private static final Pattern SUFFIX = Pattern.compile("bytes=-([0-9]{1,18})");

  /** The host of a private endpoint, whose own name has dots before {@code s3}. */
  private static final Pattern PRIVATE =
      Pattern.compile("(?:(.+)\\.)?((?:bucket|accesspoint)\\.vpce-.*\\.vpce\\.amazonaws\\.com)");

  /** The host of a bucket on AWS, and the part of it that is the endpoint's. */
  private static final Pattern AWS =
      Pattern.compile("(?:(.+)\\.)?(s3(?:[.-]|express).*amazonaws\\.com(?:\\.[a-z]+)?)");

  /** Headers by which a write may be refused the second time. The third one appends. */
  private static final List<String> CONDITIONS =
      List.of(
          "If-None-Match",
          "If-Match",
          "x-amz-write-offset-bytes",
          "x-amz-if-match-size",
          "x-amz-if-match-last-modified-time");

  /** Parameters that do not change what a request is. Another one asks for something else. */
  private static final Set<String> PLAIN =
      Set.of(
          "versionId",
          "partNumber",
          "uploadId",
          "uploads",
          "delete",
          "x-id",
          "list-type",
          "prefix",
          "delimiter",
          "marker",
          "max-keys",
          "continuation-token",
          "start-after",
          "fetch-owner",
          "encoding-type",
          "key-marker",
          "upload-id-marker",
          "max-uploads",
          "part-number-marker",
          "max-parts",
          "versions",
          "version-id-marker");

  /**
   * Returns the facts; empty if it is no request for objects, such as one for a bucket's policy.
   *
   * @param bucket of all requests of the client, which may then be in the host's name also where
   *     the store is not Amazon's; empty if it is not known
   */
  static Optional<HttpFacts> of(SdkHttpRequest request, Optional<String> bucket) {
    return of(request, Place.of(request, bucket));
  }

  /**
   * Does the same for a request of which the caller knows more than can be read from it.
   *
   * @param bucket its name, and no ARN
   * @param key empty for a request for the bucket
   */
  static Optional<HttpFacts> ofNamed(SdkHttpRequest request, String bucket, String key) {
    Place read = Place.of(request, Optional.of(bucket));
    return of(request, new Place(read.endpoint, bucket, key));
  }

  private static Optional<HttpFacts> of(SdkHttpRequest request, Place place) {
    Map<String, List<String>> query = request.rawQueryParameters();
    boolean isPlain =
        query.keySet().stream()
            .allMatch(name -> PLAIN.contains(name) || name.startsWith("response-"));
    Optional<Operation> operation =
        isPlain && !place.bucket.isEmpty() && isForS3(request)
            ? operation(request, query, place.key.isEmpty())
            : Optional.empty();
    return operation.map(
        known ->
            new HttpFacts(
                known,
                place.endpoint,
                place.bucket,
                place.key.isEmpty() ? first(query, "prefix") : place.key,
                isConditional(request),
                range(request)));
  }

  /** Returns false if the request is signed for another service, whose client shares this one. */
  private static boolean isForS3(SdkHttpRequest request) {
    return !request.host().contains(".s3-control")
        && request
            .firstMatchingHeader("Authorization")
            .map(SERVICE::matcher)
            .filter(Matcher::find)
            .map(signed -> Set.of("s3", "s3express", "s3-object-lambda").contains(signed.group(1)))
            .orElse(true);
  }

  private record Place(String endpoint, String bucket, String key) {
    static Place of(SdkHttpRequest request, Optional<String> expected) {
      String path = request.encodedPath().replaceFirst("^/", "");
      String host = request.host();
      Matcher aws = aws(host);
      boolean isAws = aws.matches();
      Optional<String> inHost =
          isAws
              ? Optional.ofNullable(aws.group(1))
              : expected.filter(name -> host.startsWith(name + "."));
      String end =
          isAws ? aws.group(2) : host.substring(inHost.map(name -> name.length() + 1).orElse(0));
      int port = request.port();
      boolean isUsual = port == ("https".equals(request.protocol()) ? 443 : 80);
      String endpoint = request.protocol() + "://" + end + (isUsual ? "" : ":" + port);
      if (inHost.isPresent()) {
        return new Place(endpoint, inHost.get(), decoded(path));
      }
      int slash = path.indexOf('/');
      return slash < 0
          ? new Place(endpoint, decoded(path), "")
          : new Place(
              endpoint, decoded(path.substring(0, slash)), decoded(path.substring(slash + 1)));
    }
  }

  private static Matcher aws(String host) {
    Matcher ofPrivate = PRIVATE.matcher(host);
    return ofPrivate.matches() ? ofPrivate : AWS.matcher(host);
  }

  private static Optional<Operation> operation(
      SdkHttpRequest request, Map<String, List<String>> query, boolean isBucket) {
    SdkHttpMethod method = request.method();
    boolean isUpload = query.containsKey("uploadId");
    if (isBucket) {
      return switch (method) {
        case GET ->
            Optional.of(query.containsKey("uploads") ? Operation.LIST_UPLOADS : Operation.LIST);
        case POST ->
            query.containsKey("delete") ? Optional.of(Operation.DELETE_ALL) : Optional.empty();
        default -> Optional.empty();
      };
    }
    boolean isCopy = request.firstMatchingHeader("x-amz-copy-source").isPresent();
    return switch (method) {
      case GET -> Optional.of(isUpload ? Operation.LIST_PARTS : Operation.GET);
      case HEAD -> Optional.of(Operation.HEAD);
      case PUT ->
          Optional.of(
              isUpload
                  ? isCopy ? Operation.COPY_PART : Operation.UPLOAD_PART
                  : isCopy ? Operation.COPY : Operation.PUT);
      case POST ->
          isUpload
              ? Optional.of(Operation.COMPLETE_UPLOAD)
              : query.containsKey("uploads")
                  ? Optional.of(Operation.CREATE_UPLOAD)
                  : Optional.empty();
      case DELETE -> Optional.of(isUpload ? Operation.ABORT_UPLOAD : Operation.DELETE);
      default -> Optional.empty();
    };
  }

  private static boolean isConditional(SdkHttpRequest request) {
    boolean isRead =
        request.method() == SdkHttpMethod.GET || request.method() == SdkHttpMethod.HEAD;
    return !isRead
        && CONDITIONS.stream().anyMatch(name -> request.firstMatchingHeader(name).isPresent());
  }

  private static Optional<Range> range(SdkHttpRequest request) {
    String asked = request.firstMatchingHeader("Range").orElse("");
    Matcher bounded = BOUNDED.matcher(asked);
    if (bounded.matches()) {
      long start = Long.parseLong(bounded.group(1));
      long end = Long.parseLong(bounded.group(2)) + 1;
      return end > start ? Optional.of(new ByteRange(start, end)) : Optional.empty();
    }
    Matcher suffix = SUFFIX.matcher(asked);
    return suffix.matches() && Long.parseLong(suffix.group(1)) > 0
        ? Optional.of(new SuffixRange(Long.parseLong(suffix.group(1))))
        : Optional.empty();
  }

  private static String first(Map<String, List<String>> query, String name) {
    List<String> values = query.getOrDefault(name, List.of());
    return values.isEmpty() || values.get(0) == null ? "" : values.get(0);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Returns the bytes of content that a GET asks for; empty if it does not say how many. */
  Optional<Long> rangeBytes() {
    return range.map(
        asked ->
            asked instanceof ByteRange bytes
                ? bytes.lengthBytes()
                : ((SuffixRange) asked).lengthBytes());
  }

  /** Returns true if the request changes nothing. */
  boolean isRead() {
    return switch (operation) {
      case GET, HEAD, LIST, LIST_UPLOADS, LIST_PARTS -> true;
      default -> false;
    };
  }

  /**
   * Returns true if the request must not be made again after an attempt whose answer was lost: the
   * answer to the second one would mean something else, and nobody above would know.
   */
  boolean isOnce() {
    return isConditional || operation == Operation.COMPLETE_UPLOAD;
  }

  boolean isOnAws() {
    return aws(endpoint.substring(endpoint.indexOf("://") + 3)).matches();
  }

  /**
   * Returns true if the key is in a directory that a committer makes for one job or one attempt of
   * a task. Its name is never used again, so a deletion that arrives late hits nothing new.
   */
  static boolean isScratch(String key) {
    return SCRATCH.matcher(key).find();
  }

  /** Returns the name of the object, for messages. */
  String object() {
    return "s3://" + bucket + "/" + key;
  }
}
