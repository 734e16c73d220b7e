/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.api;

import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpResponse;
import java.util.Map;
import java.util.TreeMap;

/**
 * One of S3's errors.
 *
 * @param elements more XML elements, such as {@code Region}
 */
public record S3Error(int status, String code, String message, Map<String, String> elements) {
  public S3Error {
    elements = Map.copyOf(elements);
  }

  public S3Error(int status, String code, String message) {
    this(status, code, message, Map.of());
  }

  public static S3Error slowDown() {
    return new S3Error(503, "SlowDown", "Please reduce your request rate.");
  }

  public static S3Error internalError() {
    return new S3Error(500, "InternalError", "We encountered an internal error. Please try again.");
  }

  /**
   * Returns this error as a response.
   *
   * @param resource path of the request, shown to the person who reads the error
   */
  public HttpResponse toResponse(String resource, String requestId) {
    AnswerXml xml = AnswerXml.ofError().add("Code", code).add("Message", message);
    new TreeMap<>(elements).forEach(xml::add);
    xml.add("Resource", resource).add("RequestId", requestId);
    Headers headers =
        new Headers()
            .add("x-amz-request-id", requestId)
            .add("Content-Type", "application/xml")
            .add("Server", "PenstockS3");
    return HttpResponse.of(status, headers, xml.payload());
  }
}
