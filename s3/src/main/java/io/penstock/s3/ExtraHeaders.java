/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.s3.settings.Encryption;
import io.penstock.s3.settings.Encryption.CustomerKey;
import io.penstock.s3.settings.S3Options;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;

/**
 * The headers that the settings add to requests, made once per store. They are set as plain
 * headers, so every kind of request can use them; the SDK signs them with the other headers.
 *
 * @param write for requests that create an object: PUT, COPY, CREATE_UPLOAD
 * @param part for requests about an upload's bytes
 * @param read for GET and HEAD
 * @param copy the same as write, with the source's key and without tags
 * @param copyPart the same as part, with the source's key
 * @param other for all other requests
 */
record ExtraHeaders(
    AwsRequestOverrideConfiguration write,
    AwsRequestOverrideConfiguration part,
    AwsRequestOverrideConfiguration read,
    AwsRequestOverrideConfiguration copy,
    AwsRequestOverrideConfiguration copyPart,
    AwsRequestOverrideConfiguration other) {
  private static final String SSE = "x-amz-server-side-encryption";
  private static final String CUSTOMER = SSE + "-customer-";
  private static final String SOURCE_CUSTOMER =
      "x-amz-copy-source-server-side-encryption-customer-";

  static ExtraHeaders of(S3Options options) {
    Map<String, String> other = new TreeMap<>();
    Map<String, String> source = new TreeMap<>();
    if (options.requesterPays()) {
      other.put("x-amz-request-payer", "requester");
    }
    options
        .bucketOwner()
        .ifPresent(
            account -> {
              other.put("x-amz-expected-bucket-owner", account);
              source.put("x-amz-source-expected-bucket-owner", account);
            });
    Map<String, String> part = new TreeMap<>(other);
    options
        .encryption()
        .customerKey()
        .ifPresent(
            key -> {
              part.putAll(keyHeaders(CUSTOMER, key));
              source.putAll(keyHeaders(SOURCE_CUSTOMER, key));
            });
    Map<String, String> write = new TreeMap<>(part);
    Encryption encryption = options.encryption();
    encryption.algorithm().ifPresent(algorithm -> write.put(SSE, algorithm.toString()));
    encryption.kmsKey().ifPresent(key -> write.put(SSE + "-aws-kms-key-id", key));
    options.storageClass().ifPresent(name -> write.put("x-amz-storage-class", name.toString()));
    options.acl().ifPresent(name -> write.put("x-amz-acl", name.toString()));
    Map<String, String> tags = new TreeMap<>();
    options.tags().ifPresent(text -> tags.put("x-amz-tagging", text)); // a copy keeps its source's
    return new ExtraHeaders(
        with(write, tags),
        with(part, Map.of()),
        with(part, Map.of()),
        with(write, source),
        with(part, source),
        with(other, Map.of()));
  }

  private static Map<String, String> keyHeaders(String prefix, CustomerKey key) {
    return Map.of(
        prefix + "algorithm", CustomerKey.ALGORITHM,
        prefix + "key", key.base64(),
        prefix + "key-md5", key.md5());
  }

  private static AwsRequestOverrideConfiguration with(
      Map<String, String> headers, Map<String, String> more) {
    AwsRequestOverrideConfiguration.Builder builder = AwsRequestOverrideConfiguration.builder();
    headers.forEach(builder::putHeader);
    more.forEach(builder::putHeader);
    return builder.build();
  }
}
