/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.weather;

import io.penstock.emulator.api.S3Error;
import io.penstock.emulator.http.Handler;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import io.penstock.emulator.http.RequestBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses single keys of a bulk delete, as a policy does: they are taken out of the request, and
 * the answer names them as errors. The changed request does not fit its signature any more, so a
 * store that checks signatures refuses it.
 */
final class RefusedKeys {
  private static final Pattern OBJECT =
      Pattern.compile("(?s)<Object>.*?<Key>(.*?)</Key>.*?</Object>");
  private static final Pattern ENTITY = Pattern.compile("&(#x?[0-9a-fA-F]+|[a-z]+);");
  private static final Map<String, String> NAMED =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");
  private static final String END = "</DeleteResult>";

  private static final String ETAG = "<ETag>";

  private final Refusal refusal;
  private final StringBuilder errors = new StringBuilder();

  /** Returns the error of a key, if it is refused. */
  @FunctionalInterface
  interface Refusal {
    Optional<S3Error> of(String key, boolean isConditional);
  }

  RefusedKeys(Refusal refusal) {
    this.refusal = refusal;
  }

  HttpResponse answer(HttpRequest request, Handler inside) throws IOException {
    String xml = new String(request.body().keep(), StandardCharsets.UTF_8);
    Matcher objects = OBJECT.matcher(xml);
    StringBuilder rest = new StringBuilder();
    while (objects.find()) {
      Optional<S3Error> error = refusal.of(plain(objects.group(1)), objects.group().contains(ETAG));
      error.ifPresent(refused -> addError(objects.group(1), refused));
      objects.appendReplacement(
          rest, error.isPresent() ? "" : Matcher.quoteReplacement(objects.group()));
    }
    objects.appendTail(rest);
    if (errors.isEmpty()) {
      return inside.handle(request);
    }
    request.body().readAllBytes();
    return OBJECT.matcher(rest).find()
        ? withErrors(inside.handle(of(request, rest)))
        : allRefused();
  }

  private static HttpRequest of(HttpRequest request, CharSequence xml) {
    byte[] body = xml.toString().getBytes(StandardCharsets.UTF_8);
    Headers headers = new Headers();
    for (Headers.Field field : request.headers().fields()) {
      String name = field.name().toLowerCase(java.util.Locale.ROOT);
      if (!name.equals("content-md5") && !name.contains("checksum")) {
        headers.add(field.name(), field.value());
      }
    }
    headers.set("Content-Length", Integer.toString(body.length));
    headers.set("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
    return new HttpRequest(
        request.method(),
        request.target(),
        headers,
        RequestBody.of(body),
        request.peer(),
        request.tlsVersion(),
        request.caller());
  }

  private void addError(String escapedKey, S3Error error) {
    errors.append("<Error><Key>").append(escapedKey).append("</Key><Code>").append(error.code());
    errors.append("</Code><Message>").append(error.message()).append("</Message></Error>");
  }

  private HttpResponse withErrors(HttpResponse response) throws IOException {
    if (response.status() != 200) {
      return response;
    }
    String xml = OddAnswers.text(response.payload());
    String open = xml.replaceFirst("<DeleteResult([^>]*)/>", "<DeleteResult$1>" + END);
    return response.with(payload(open.replace(END, errors + END)));
  }

  private HttpResponse allRefused() {
    return HttpResponse.of(
        200,
        new Headers().add("Content-Type", "application/xml"),
        payload("<DeleteResult>" + errors + END));
  }

  private static Payload payload(String xml) {
    return Payload.of(xml.getBytes(StandardCharsets.UTF_8));
  }

  private static String plain(String escaped) {
    return ENTITY
        .matcher(escaped)
        .replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
  }

  private static String character(String entity) {
    if (entity.startsWith("#x")) {
      return Character.toString(Integer.parseInt(entity.substring(2), 16));
    }
    return entity.startsWith("#")
        ? Character.toString(Integer.parseInt(entity.substring(1)))
        : NAMED.getOrDefault(entity, "");
  }
}
