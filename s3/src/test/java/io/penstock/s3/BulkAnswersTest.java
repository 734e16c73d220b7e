/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** A key counts as deleted only if the answer to the bulk delete says so. */
class BulkAnswersTest {
  private static Map<String, StoreException> failures(String answer, String... keys)
      throws IOException {
    try (RecordingServer server = RecordingServer.answering(r -> Answer.ok(answer));
        ObjectStore store =
            TestStores.open(
                "lake",
                Settings.of(
                    Map.of(
                        "penstock.endpoint",
                        server.http(),
                        "penstock.credentials",
                        "anonymous")))) {
      Map<String, StoreException> failed = store.deleteAll(List.of(keys));
      assertThat(server.last().body()).doesNotContain("<Quiet>true</Quiet>");
      return failed;
    }
  }

  private static String deleted(String... names) {
    StringBuilder xml = new StringBuilder("<DeleteResult>");
    for (String name : names) {
      xml.append("<Deleted><Key>").append(name).append("</Key></Deleted>");
    }
    return xml.append("</DeleteResult>").toString();
  }

  @Test
  void aKeyThatIsNamedIsDeleted() throws IOException {
    assertThat(failures(deleted("a", "b"), "a", "b")).isEmpty();
  }

  @Test
  void aKeyThatIsNotNamedIsNotDeleted() throws IOException {
    Map<String, StoreException> failed = failures(deleted("a"), "a", "b");
    assertThat(failed).containsOnlyKeys("b");
    assertThat(failed.get("b").kind()).isEqualTo(Kind.NOT_S3);
    assertThat(failed.get("b"))
        .hasMessage(
            "DELETE_ALL s3://lake/b: the answer to the bulk delete does not name the key, so it is"
                + " not known whether the key was deleted.");
  }

  @Test
  void anAnswerThatNamesNothingDeletesNothing() throws IOException {
    for (String answer : List.of("", "<DeleteResult/>", "<Whatever>a b</Whatever>")) {
      Map<String, StoreException> failed = failures(answer, "a", "b");
      assertThat(failed).as(answer).containsOnlyKeys("a", "b");
      assertThat(failed.get("a")).hasMessageContaining("names no key");
    }
  }

  @Test
  void aWebPageFailsAsAWholeAndSaysWhatItIs() {
    assertThatThrownBy(() -> failures("<!DOCTYPE html>\n<html>Please log in</html>", "a", "b"))
        .asInstanceOf(InstanceOfAssertFactories.type(StoreException.class))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.NOT_S3))
        .extracting(Throwable::getMessage)
        .asString()
        .contains("begins with '<!DOCTYPE html>'", "penstock.endpoint", "proxy");
  }

  @Test
  void aStoreMayNameAKeyInAnotherForm() throws IOException {
    assertThat(failures(deleted("a"), "/a", "b")).containsOnlyKeys("b"); // MinIO
    assertThat(failures(deleted("x\ny"), "x\ry", "b")).containsOnlyKeys("b");
    assertThat(failures(deleted("d%2Be%20f"), "d+e f", "b")).containsOnlyKeys("b");
    assertThat(failures(deleted("d%2Be"), "d%2Be", "d+e")).containsOnlyKeys("d+e");
    assertThat(failures(deleted("%zz"), "%zz", "b")).containsOnlyKeys("b");
    String error =
        "<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code></Error></DeleteResult>";
    assertThat(failures(error, "/a")).containsOnlyKeys("/a");
  }

  @Test
  void aKeyThatMayNotBeDeletedIsNamedWithTheRightThatIsMissing() throws IOException {
    String answer =
        "<DeleteResult><Deleted><Key>a</Key></Deleted>"
            + "<Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>";
    assertThat(failures(answer, "a", "b").get("b"))
        .hasMessageContaining("s3://lake/b")
        .hasMessageContaining("s3:DeleteObject");
  }
}
