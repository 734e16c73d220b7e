/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.network;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * A request with one more header, which is not signed: a proxy may take it away. The SDK's own way
 * to add a header copies the request with all its headers.
 */
record WithReferer(SdkHttpRequest request, String referer) implements SdkHttpRequest {
  private static final String NAME = "Referer";

  @Override
  public String protocol() {
    return request.protocol();
  }

  @Override
  public String host() {
    return request.host();
  }

  @Override
  public int port() {
    return request.port();
  }

  @Override
  public String encodedPath() {
    return request.encodedPath();
  }

  @Override
  public Map<String, List<String>> rawQueryParameters() {
    return request.rawQueryParameters();
  }

  @Override
  public SdkHttpMethod method() {
    return request.method();
  }

  @Override
  public Map<String, List<String>> headers() {
    Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(request.headers());
    all.put(NAME, List.of(referer));
    return all;
  }

  @Override
  public void forEachHeader(BiConsumer<? super String, ? super List<String>> consumer) {
    request.forEachHeader(consumer);
    consumer.accept(NAME, List.of(referer));
  }

  @Override
  public int numHeaders() {
    return request.numHeaders() + 1;
  }

  @Override
  public Builder toBuilder() {
    return request.toBuilder().putHeader(NAME, referer);
  }
}
