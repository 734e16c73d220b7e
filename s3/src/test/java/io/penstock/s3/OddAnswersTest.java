/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Etags;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.SuffixRange;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.RecordingServer.Received;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Stores and gateways whose answers lack what S3 always sends, or send it in another form. */
class OddAnswersTest {
  private static final ByteRange FIRST_TWO = new ByteRange(0, 2);
  private static final Answer OTHER_VERSION = Answer.error(412, "PreconditionFailed", "no");

  private final List<String> lines = new ArrayList<>();

  private interface Call<T> {
    T on(ObjectStore store) throws IOException;
  }

  private <T> T asked(Function<Received, Answer> behaviour, Call<T> call) throws IOException {
    try (RecordingServer server = RecordingServer.answering(behaviour);
        ObjectStore store =
            TestStores.open(
                "lake",
                Settings.of(
                    Map.of(
                        "penstock.endpoint",
                        server.http(),
                        "penstock.credentials",
                        "anonymous")))) {
      try {
        return call.on(store);
      } finally {
        server.received().forEach(request -> lines.add(request.method()));
      }
    }
  }

  private StoreException failure(Function<Received, Answer> behaviour, Call<?> call) {
    lines.clear();
    StoreException e = catchThrowableOfType(StoreException.class, () -> asked(behaviour, call));
    assertThat(e).isNotNull();
    return e;
  }

  /** Two bytes of an object of five. */
  private static Answer part(String etag) {
    Answer answer = new Answer(206, Map.of("Content-Range", "bytes 0-1/5"), "ab");
    return etag == null ? answer : answer.with("ETag", etag);
  }

  private static Answer headWithoutLength() {
    return new Answer(200, Map.of("ETag", "\"abc\"", "x-amz-meta-penstock-write", "w"), null);
  }

  @Test
  void aHeadWithoutLengthIsMeasuredByItsFirstByte() throws IOException {
    ObjectMeta meta =
        asked(
            request ->
                request.method().equals("HEAD")
                    ? headWithoutLength()
                    : new Answer(
                        206,
                        Map.of("ETag", "\"abc\"", "Content-Range", "bytes 0-0/1234567890123"),
                        "a"),
            store -> store.head("key"));
    assertThat(meta.sizeBytes()).isEqualTo(1_234_567_890_123L);
    assertThat(meta.etag()).isEqualTo("abc");
    assertThat(lines).containsExactly("HEAD", "GET");
  }

  @Test
  void anEmptyObjectWithoutLengthIsEmptyOnlyIfTheStoreSaysSo() throws IOException {
    Answer refusal = Answer.error(416, "InvalidRange", "no");
    ObjectMeta meta =
        asked(
            request ->
                request.method().equals("HEAD")
                    ? headWithoutLength()
                    : refusal.with("Content-Range", "bytes */0"),
            store -> store.head("key"));
    assertThat(meta.sizeBytes()).isZero();
    assertThat(meta.writeId()).contains("w");

    StoreException e =
        failure(
            request -> request.method().equals("HEAD") ? headWithoutLength() : refusal,
            store -> store.head("key"));
    assertThat(e.kind()).isEqualTo(Kind.NOT_S3);
    assertThat(e).hasMessageContaining("HEAD s3://lake/key").hasMessageContaining("length");
  }

  @Test
  void aWeakEtagIsNoConditionAndIsComparedHere() throws IOException {
    String weak = "W/\"abc\"";
    List<String> conditions = new ArrayList<>();
    Function<Received, Answer> store =
        request -> {
          conditions.add(String.valueOf(request.header("If-Match")));
          return part(weak);
        };
    assertThat(asked(store, s -> s.get("key", FIRST_TWO, Optional.empty())).meta().etag())
        .isEqualTo(weak);
    assertThat(asked(store, s -> s.get("key", FIRST_TWO, Optional.of(weak))).bytes())
        .isEqualTo(new byte[] {'a', 'b'});
    assertThat(conditions).containsOnly("null");
    assertThat(failure(store, s -> s.get("key", FIRST_TWO, Optional.of("W/\"old\""))).kind())
        .isEqualTo(Kind.PRECONDITION_FAILED);
  }

  /** Listings are not changed by a proxy that makes the ETags of headers weak. */
  @Test
  void aStrongEtagOfAListingFitsTheWeakOneOfAnAnswer() throws IOException {
    Function<Received, Answer> store =
        request -> request.header("If-Match") == null ? part("W/\"abc\"") : OTHER_VERSION;
    assertThat(asked(store, s -> s.get("key", FIRST_TWO, Optional.of("abc"))).bytes())
        .isEqualTo(new byte[] {'a', 'b'});
    assertThat(failure(store, s -> s.get("key", FIRST_TWO, Optional.of("old"))).kind())
        .isEqualTo(Kind.PRECONDITION_FAILED);
  }

  @Test
  void aStrongEtagThatChangedWhileItWasAskedAgainIsNotTaken() {
    Function<Received, Answer> store =
        request -> request.header("If-Match") == null ? part("\"abc\"") : OTHER_VERSION;
    assertThat(failure(store, s -> s.get("key", FIRST_TWO, Optional.of("abc"))).kind())
        .isEqualTo(Kind.PRECONDITION_FAILED);
    assertThat(lines).containsExactly("GET", "GET");
  }

  @Test
  void aWriteThatDependsOnAWeakEtagIsRefusedByName() {
    StoreException e =
        failure(
            request -> part(null),
            store -> store.put("key", Body.empty(), Condition.ifMatch("W/\"abc\"")));
    assertThat(e.kind()).isEqualTo(Kind.UNSUPPORTED);
    assertThat(e).hasMessageContaining("W/\"abc\"").hasMessageContaining("weak");
    assertThat(lines).isEmpty();
  }

  @Test
  void deletionsAndCopiesOfAWeakEtagAreComparedHere() throws IOException {
    Function<Received, Answer> store =
        request ->
            switch (request.method()) {
              case "HEAD" ->
                  new Answer(200, Map.of("ETag", "W/\"abc\"", "Content-Length", "5"), null);
              case "DELETE" -> new Answer(204, Map.of(), null);
              case "GET" -> part("W/\"abc\"");
              default -> Answer.ok("<CopyObjectResult><ETag>\"new\"</ETag></CopyObjectResult>");
            };
    asked(
        store,
        s -> {
          s.delete("key", Condition.ifMatch("W/\"abc\""));
          return s.copy("key", "copy", Optional.of("W/\"abc\""));
        });
    for (Call<String> call :
        List.<Call<String>>of(
            s -> {
              s.delete("key", Condition.ifMatch("W/\"old\""));
              return "";
            },
            s -> s.copy("key", "copy", Optional.of("W/\"old\"")))) {
      assertThat(failure(store, call).kind()).isEqualTo(Kind.PRECONDITION_FAILED);
      assertThat(lines).doesNotContain("DELETE", "PUT");
    }
  }

  @Test
  void anAnswerWithoutEtagIsSaidSoAtOnce() {
    Upload upload = new Upload("key", "id");
    Function<Received, Answer> store =
        request ->
            switch (request.method()) {
              case "HEAD" -> new Answer(200, Map.of("Content-Length", "5"), null);
              case "GET" -> part(null);
              default -> new Answer(200, Map.of(), "");
            };
    for (Call<?> call :
        List.<Call<?>>of(
            s -> s.head("key"),
            s -> s.get("key", FIRST_TWO, Optional.empty()),
            s -> s.get("key", FIRST_TWO, Optional.of("abc")),
            s -> s.put("key", Body.empty(), Condition.NONE),
            s -> s.uploadPart(upload, 1, Body.empty()))) {
      StoreException e = failure(store, call);
      assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.NOT_S3);
      assertThat(e).hasMessageContaining("no ETag").hasMessageContaining("proxy");
      assertThat(lines).hasSize(1);
    }
  }

  @Test
  void aListingWithoutEtagsIsOfTheVersionsThatAreRead() throws IOException {
    String time = "Thu, 26 Nov 2026 20:48:58 GMT";
    String entry =
        "<ListBucketResult><Name>lake</Name><IsTruncated>false</IsTruncated><Contents>"
            + "<Key>key</Key><Size>5</Size><LastModified>2026-11-26T20:48:58.719Z</LastModified>"
            + "</Contents></ListBucketResult>";
    ObjectMeta listed =
        asked(request -> Answer.ok(entry), s -> s.list(ListRequest.flat(""))).objects().get(0);
    ObjectMeta found =
        asked(
            request ->
                new Answer(
                    200,
                    Map.of("ETag", "\"abc\"", "Content-Length", "5", "Last-Modified", time),
                    null),
            s -> s.head("key"));
    assertThat(Etags.isOfTime(listed.etag())).isTrue();
    assertThat(found.etag()).isEqualTo("abc");
    assertThat(found.isVersion(listed.etag())).isTrue();
    assertThat(listed.isVersion(found.etag())).isFalse();
  }

  @Test
  void aListingThatCannotShowTheNameIsRefused() throws IOException {
    String none =
        "<ListBucketResult><Name>lake</Name><IsTruncated>false</IsTruncated>%s</ListBucketResult>";
    String plain = none.formatted("<EncodingType></EncodingType>");
    String escaping = none.formatted("<EncodingType>url</EncodingType>");
    ListRequest odd = ListRequest.flat("t/p=a\ufffeb");

    assertThat(failure(request -> Answer.ok(plain), s -> s.list(odd)).kind())
        .isEqualTo(Kind.UNSUPPORTED);
    assertThat(asked(request -> Answer.ok(escaping), s -> s.list(odd)).objects()).isEmpty();
    assertThat(asked(request -> Answer.ok(plain), s -> s.list(ListRequest.flat("t/"))).objects())
        .isEmpty();
  }

  @Test
  void aListingThatCannotGoOnIsNotTakenForWhole() {
    String cut =
        "<ListBucketResult><Name>lake</Name><IsTruncated>true</IsTruncated>%s</ListBucketResult>";
    StoreException e =
        failure(request -> Answer.ok(cut.formatted("")), s -> s.list(ListRequest.flat("a/")));
    assertThat(e.kind()).isEqualTo(Kind.NOT_S3);
    assertThat(e).hasMessageContaining("LIST s3://lake/a/").hasMessageContaining("token");

    String same = cut.formatted("<NextContinuationToken>t</NextContinuationToken>");
    assertThat(
            failure(request -> Answer.ok(same), s -> s.list(ListRequest.flat("").next("t"))).kind())
        .isEqualTo(Kind.NOT_S3);

    String noSize =
        "<ListBucketResult><Name>lake</Name><Contents><Key>a</Key></Contents></ListBucketResult>";
    assertThat(failure(request -> Answer.ok(noSize), s -> s.list(ListRequest.flat(""))))
        .hasMessageContaining("size");

    String parts =
        "<ListPartsResult><UploadId>id</UploadId><IsTruncated>true</IsTruncated></ListPartsResult>";
    assertThat(
            failure(
                    request -> Answer.ok(parts),
                    s -> s.listParts(new Upload("key", "id"), Optional.empty()))
                .kind())
        .isEqualTo(Kind.NOT_S3);
  }

  /** MinIO and Garage answer in the first two ways. The last one is nobody's. */
  @Test
  void theLastBytesOfAnEmptyObjectAreNone() {
    for (String sent : List.of("0--1/0", "0-18446744073709551615/0")) {
      assertThat(ofEmpty(sent).kind()).as(sent).isEqualTo(Kind.RANGE_NOT_SATISFIABLE);
    }
    assertThat(ofEmpty("0-99999999999999999999/0"))
        .hasMessageContaining("invalid Content-Range 'bytes 0-99999999999999999999/0'");
  }

  private StoreException ofEmpty(String contentRange) {
    Answer answer = new Answer(206, Map.of("Content-Range", "bytes " + contentRange), "");
    return failure(
        request -> answer.with("ETag", "\"abc\""),
        store -> store.get("key", new SuffixRange(10), Optional.empty()));
  }
}
