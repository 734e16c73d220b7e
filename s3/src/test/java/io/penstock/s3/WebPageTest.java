/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What answers with status 200 and is no S3 store: captive proxies and misrouted endpoints. */
class WebPageTest {
  private static final Upload UPLOAD = new Upload("big", "id");

  private interface Call {
    void on(ObjectStore store) throws IOException;
  }

  private static Map<String, Call> answeredInXml() {
    Map<String, Call> calls = new LinkedHashMap<>();
    PendingUpload pending = new PendingUpload(UPLOAD, List.of(new Part(1, "abc", 1)));
    calls.put("COPY", store -> store.copy("a", "b", Optional.empty()));
    calls.put("COPY_PART", store -> store.copyPart(UPLOAD, 1, "a", new ByteRange(0, 5)));
    calls.put("COMPLETE_UPLOAD", store -> store.completeUpload(pending, Condition.NONE));
    calls.put("DELETE_ALL", store -> store.deleteAll(List.of("a", "b")));
    calls.put("CREATE_UPLOAD", store -> store.createUpload("big"));
    calls.put("LIST", store -> store.list(ListRequest.flat("")));
    calls.put("LIST_UPLOADS", store -> store.listUploads("", Optional.empty()));
    calls.put("LIST_PARTS", store -> store.listParts(UPLOAD, Optional.empty()));
    return calls;
  }

  private static Map<String, Call> all() {
    Map<String, Call> calls = answeredInXml();
    Body content = Body.ofBytes(new byte[3]);
    calls.put("PUT", store -> store.put("a", content, Condition.NONE));
    calls.put("UPLOAD_PART", store -> store.uploadPart(UPLOAD, 1, content));
    calls.put("DELETE", store -> store.delete("a"));
    calls.put("ABORT_UPLOAD", store -> store.abortUpload(UPLOAD));
    return calls;
  }

  private static StoreException failure(Answer answer, Call call) throws IOException {
    try (RecordingServer server = RecordingServer.answering(r -> answer);
        ObjectStore store =
            TestStores.open(
                "lake",
                Settings.of(
                    Map.of(
                        "penstock.endpoint",
                        server.http(),
                        "penstock.credentials",
                        "anonymous")))) {
      StoreException e = catchThrowableOfType(StoreException.class, () -> call.on(store));
      return e == null ? StoreException.of(Kind.UNSUPPORTED, null, "", "passed for a success") : e;
    }
  }

  @Test
  void aWebPageIsNoAnswerToAnyRequest() throws IOException {
    for (String page :
        List.of(
            "<!DOCTYPE html><html><body>Log in</body></html>",
            "\uFEFF \n<HTML lang=\"en\"><body/></HTML>",
            "<?xml version=\"1.0\"?>\n<!-- a portal -->\n<!DOCTYPE html PUBLIC \"x\"><html/>")) {
      for (Map.Entry<String, Call> call : all().entrySet()) {
        StoreException e = failure(Answer.ok(page), call.getValue());
        assertThat(e.kind()).as("%s: %s", call.getKey(), e.getMessage()).isEqualTo(Kind.NOT_S3);
        assertThat(e)
            .hasMessageContaining("begins with '<")
            .hasMessageContaining("http://127.0.0.1")
            .hasMessageContaining("proxy");
      }
    }
  }

  @Test
  void textAndJsonAreNoAnswerWhereXmlIsExpected() throws IOException {
    for (Map.Entry<String, Call> call : answeredInXml().entrySet()) {
      for (String text : List.of("It works!\nsecond line", "{\"error\": \"no route\"}")) {
        StoreException e = failure(Answer.ok(text), call.getValue());
        assertThat(e.kind()).as(call.getKey()).isEqualTo(Kind.NOT_S3);
        assertThat(e).hasMessageContaining(text.lines().findFirst().orElseThrow());
        assertThat(e).hasMessageNotContaining("second line");
      }
    }
  }

  @Test
  void completeXmlThatIsBrokenIsNotAskedForAgainAndWhatIsCutOffIs() throws IOException {
    Call list = store -> store.list(ListRequest.flat(""));
    String broken = "<ListBucketResult><Contents><Key>\u0001</Key></Contents></ListBucketResult>";
    StoreException e = failure(Answer.ok(broken), list);
    assertThat(e.kind()).isEqualTo(Kind.NOT_S3);
    assertThat(e).hasMessageContaining("is not valid XML and begins with '<ListBucketResult>");

    String cut = "<ListBucketResult><Contents><Key>a</Key></Con";
    assertThat(failure(Answer.ok(cut), list).kind()).isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void aDeletionMayBeAnsweredWithPlainText() throws IOException {
    assertThat(failure(Answer.ok("deleted"), store -> store.delete("a")))
        .hasMessageContaining("passed for a success");
  }

  @Test
  void theFirstLineIsShortenedAndHasNoControlCharacters() throws IOException {
    StoreException e =
        failure(Answer.ok("a\u0007b" + "c".repeat(500)), store -> store.createUpload("big"));
    assertThat(e).hasMessageContaining("'a?b" + "c".repeat(117) + "…'");
  }
}
