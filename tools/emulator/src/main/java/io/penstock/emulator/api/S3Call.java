/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.s3model.S3Operation;
import java.util.List;
import java.util.Set;

/**
 * The S3 operation, bucket and key that an HTTP request addresses.
 *
 * @param bucket empty when the request names no bucket
 * @param key decoded; empty when the request names no key
 * @param isValid false when an escape in path or query is malformed; then the other components
 *     carry no information
 */
public record S3Call(
    S3Operation operation, String bucket, String key, Query query, boolean isValid) {
  /** Query parameters that select an operation which the emulator does not implement. */
  private static final Set<String> OTHER_RESOURCES =
      Set.of(
          "accelerate",
          "acl",
          "analytics",
          "attributes",
          "cors",
          "encryption",
          "intelligent-tiering",
          "inventory",
          "legal-hold",
          "lifecycle",
          "logging",
          "metrics",
          "notification",
          "object-lock",
          "ownershipControls",
          "policy",
          "policyStatus",
          "publicAccessBlock",
          "renameObject",
          "replication",
          "requestPayment",
          "restore",
          "retention",
          "select",
          "session",
          "tagging",
          "torrent",
          "website");

  public static S3Call of(HttpRequest request, Addressing addressing) {
    return of(request.method(), request.target(), request.headers(), addressing);
  }

  /**
   * Determines the call from the parts of a request, without the request object.
   *
   * @param target path and query as sent
   */
  public static S3Call of(String method, String target, Headers headers, Addressing addressing) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    try {
      Query query = Query.parse(mark < 0 ? "" : target.substring(mark + 1));
      String bucket = addressing.bucketIn(headers.first("Host").orElse(""));
      String rest = path.substring(1);
      if (bucket.isEmpty()) {
        int slash = rest.indexOf('/');
        bucket = UrlText.decode(slash < 0 ? rest : rest.substring(0, slash), false);
        rest = slash < 0 ? "" : rest.substring(slash + 1);
      }
      String key = UrlText.decode(rest, false);
      S3Operation operation =
          classify(method, bucket, key, query, headers.has("x-amz-copy-source"));
      return new S3Call(operation, bucket, key, query, true);
    } catch (IllegalArgumentException e) {
      return new S3Call(S3Operation.OTHER, "", "", new Query(List.of()), false);
    }
  }

  private static S3Operation classify(
      String method, String bucket, String key, Query query, boolean isCopy) {
    if (query.parameters().stream().anyMatch(p -> OTHER_RESOURCES.contains(p.name()))) {
      return S3Operation.OTHER;
    }
    if (bucket.isEmpty()) {
      return method.equals("GET") && key.isEmpty() ? S3Operation.LIST_BUCKETS : S3Operation.OTHER;
    }
    return key.isEmpty() ? ofBucket(method, query) : ofObject(method, query, isCopy);
  }

  private static S3Operation ofBucket(String method, Query query) {
    return switch (method) {
      case "PUT" ->
          query.has("versioning") ? S3Operation.PUT_BUCKET_VERSIONING : S3Operation.CREATE_BUCKET;
      case "HEAD" -> S3Operation.HEAD_BUCKET;
      case "DELETE" -> S3Operation.DELETE_BUCKET;
      case "POST" -> query.has("delete") ? S3Operation.DELETE_OBJECTS : S3Operation.OTHER;
      case "GET" -> ofBucketRead(query);
      default -> S3Operation.OTHER;
    };
  }

  private static S3Operation ofBucketRead(Query query) {
    if (query.has("location")) {
      return S3Operation.GET_BUCKET_LOCATION;
    }
    if (query.has("uploads")) {
      return S3Operation.LIST_MULTIPART_UPLOADS;
    }
    if (query.has("versioning")) {
      return S3Operation.GET_BUCKET_VERSIONING;
    }
    if (query.has("versions")) {
      return S3Operation.LIST_OBJECT_VERSIONS;
    }
    return query.get("list-type").equals("2")
        ? S3Operation.LIST_OBJECTS_V2
        : S3Operation.LIST_OBJECTS;
  }

  private static S3Operation ofObject(String method, Query query, boolean isCopy) {
    boolean inUpload = query.has("uploadId");
    return switch (method) {
      case "GET" -> inUpload ? S3Operation.LIST_PARTS : S3Operation.GET_OBJECT;
      case "HEAD" -> S3Operation.HEAD_OBJECT;
      case "DELETE" -> inUpload ? S3Operation.ABORT_MULTIPART_UPLOAD : S3Operation.DELETE_OBJECT;
      case "PUT" -> {
        if (inUpload) {
          yield isCopy ? S3Operation.UPLOAD_PART_COPY : S3Operation.UPLOAD_PART;
        }
        yield isCopy ? S3Operation.COPY_OBJECT : S3Operation.PUT_OBJECT;
      }
      case "POST" -> {
        if (query.has("uploads")) {
          yield S3Operation.CREATE_MULTIPART_UPLOAD;
        }
        yield inUpload ? S3Operation.COMPLETE_MULTIPART_UPLOAD : S3Operation.OTHER;
      }
      default -> S3Operation.OTHER;
    };
  }
}
