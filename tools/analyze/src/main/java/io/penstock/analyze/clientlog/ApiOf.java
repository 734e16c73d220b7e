/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.clientlog;

import io.penstock.analyze.request.S3Api;
import java.util.List;
import java.util.Optional;

/** Determines the S3 call of a request. */
final class ApiOf {
  /** The sub-resources that have their own calls. None of these calls transfers data. */
  private static final List<String> OTHERS =
      List.of(
          "acl",
          "analytics",
          "attributes",
          "cors",
          "encryption",
          "legal-hold",
          "lifecycle",
          "location",
          "logging",
          "object-lock",
          "policy",
          "restore",
          "retention",
          "select",
          "session",
          "tagging",
          "versioning",
          "website");

  private ApiOf() {}

  /**
   * Returns the call; empty when {@link S3Api} does not list it. Then {@link #otherName} returns a
   * name.
   *
   * @param hasKey true if the request is about an object, false if it is about a bucket
   * @param isCopy true if the request names a source to copy from
   */
  static Optional<S3Api> of(RequestTarget target, boolean hasKey, boolean isCopy) {
    if (OTHERS.stream().anyMatch(target::has)) {
      return Optional.empty();
    }
    return Optional.ofNullable(
        switch (target.verb()) {
          case "GET" -> hasKey ? getObject(target) : getBucket(target);
          case "HEAD" -> hasKey ? S3Api.HEAD_OBJECT : S3Api.HEAD_BUCKET;
          case "PUT" -> hasKey ? put(target, isCopy) : null;
          case "POST" -> post(target, hasKey);
          case "DELETE" -> delete(target, hasKey);
          default -> null;
        });
  }

  /** Returns the name that the access log would use: verb, OBJECT or BUCKET, sub-resource. */
  static String otherName(RequestTarget target, boolean hasKey) {
    String about = hasKey ? "OBJECT" : "BUCKET";
    return OTHERS.stream()
        .filter(target::has)
        .findFirst()
        .map(name -> "REST." + target.verb() + "." + name.toUpperCase(java.util.Locale.ROOT))
        .orElse("REST." + target.verb() + "." + about);
  }

  private static S3Api getObject(RequestTarget target) {
    return target.has("uploadId") ? S3Api.LIST_PARTS : S3Api.GET_OBJECT;
  }

  private static S3Api getBucket(RequestTarget target) {
    return target.has("uploads") ? S3Api.LIST_UPLOADS : S3Api.LIST_OBJECTS;
  }

  private static S3Api put(RequestTarget target, boolean isCopy) {
    if (target.has("uploadId")) {
      return isCopy ? S3Api.UPLOAD_PART_COPY : S3Api.UPLOAD_PART;
    }
    return isCopy ? S3Api.COPY_OBJECT : S3Api.PUT_OBJECT;
  }

  private static S3Api post(RequestTarget target, boolean hasKey) {
    if (target.has("delete")) {
      return S3Api.DELETE_OBJECTS;
    }
    if (target.has("uploads")) {
      return S3Api.CREATE_UPLOAD;
    }
    if (target.has("uploadId")) {
      return S3Api.COMPLETE_UPLOAD;
    }
    return hasKey ? null : S3Api.POST_OBJECT;
  }

  private static S3Api delete(RequestTarget target, boolean hasKey) {
    if (target.has("uploadId")) {
      return S3Api.ABORT_UPLOAD;
    }
    return hasKey ? S3Api.DELETE_OBJECT : null;
  }
}
