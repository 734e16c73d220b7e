/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.commit.files.InlineFile;
import io.penstock.core.commit.files.ObjectKey;
import io.penstock.core.commit.files.Replaced;
import io.penstock.core.commit.files.TaskFile;
import io.penstock.core.commit.files.TaskUpload;
import io.penstock.core.golden.Golden;
import io.penstock.core.store.Condition;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntentTextTest {
  private static final CommittingJob JOB =
      new CommittingJob("job", "app", "-", "host", 42, Instant.parse("2026-01-01T00:00:00.123Z"));

  private static final List<TaskFile> UPLOADS =
      List.of(
          new TaskUpload(
              "lake",
              new PendingUpload(
                  new Upload("t/a\tb%09c\nd%/é-job", "id+/="),
                  List.of(new Part(1, "\"e1\"", 5), new Part(2, "\"e2\"", 7)))),
          new TaskUpload(
              "pond",
              new PendingUpload(new Upload("u/b-job", "2"), List.of(new Part(1, "\"e\"", 0)))),
          new InlineFile("pond", "u/c\t-job", 7, "0".repeat(32), Optional.empty()));

  private static final Intent INTENT =
      new Intent(JOB, 3, true, "t/_SUCCESS", SuccessMarker.JSON, OptionalLong.empty(), UPLOADS);

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    IntentText.Head head = IntentText.head(IntentText.of(INTENT, "s3://lake/t/", 0));
    assertThat(head.intent()).isEqualTo(INTENT);
    assertThat(head.table()).isEqualTo("s3://lake/t/");
    assertThat(IntentText.filesOfPage(IntentText.page(UPLOADS))).isEqualTo(UPLOADS);
    Replaced replaced =
        new Replaced(
            true,
            Map.of(
                new ObjectKey("lake", "t/%0A\n"),
                Condition.NONE,
                new ObjectKey("lake", "t/b"),
                Condition.ifMatch("e-1")),
            Set.of(new ObjectKey("pond", "u/b")));
    assertThat(IntentText.replaced(IntentText.of(replaced, 0)).replaced()).isEqualTo(replaced);
    IntentText.ReplacedHead paged = IntentText.replaced(IntentText.of(replaced, 3));
    assertThat(paged.pages()).isEqualTo(3);
    assertThat(paged.replaced()).isEqualTo(new Replaced(true, Map.of(), Set.of()));
    assertThat(IntentText.replacedPage(IntentText.page(replaced)))
        .isEqualTo(new Replaced(false, replaced.old(), replaced.inPlace()));
  }

  @Test
  void anIntentOfThisVersionIsReadForEver() throws IOException {
    String kept = Golden.text("intent-4.txt", text(IntentText.of(INTENT, "s3://lake/t/", 0)));
    assertThat(IntentText.head(bytes(kept)).intent()).isEqualTo(INTENT);
  }

  @Test
  void anIntentThatNamesTheUserIsReadForEver() throws IOException {
    CommittingJob job = new CommittingJob("job", "app", "ada", "host", 42, JOB.started());
    Intent intent =
        new Intent(job, 3, true, "t/_SUCCESS", SuccessMarker.JSON, OptionalLong.empty(), UPLOADS);
    String kept = Golden.text("intent-7.txt", text(IntentText.of(intent, "s3://lake/t/", 0)));
    assertThat(IntentText.head(bytes(kept)).intent()).isEqualTo(intent);
  }

  @Test
  void uploadsInPagesAreNotInTheFirstObject() throws IOException {
    IntentText.Head head = IntentText.head(IntentText.of(INTENT, "s3://lake/t/", 2));
    assertThat(head.pages()).isEqualTo(2);
    assertThat(head.intent().files()).isEmpty();
  }

  @Test
  void aTextThatIsCutAnywhereIsDamaged() {
    String whole = text(IntentText.of(INTENT, "s3://lake/t/", 0)).stripTrailing();
    for (int length = 0; length < whole.length(); length++) {
      byte[] cut = bytes(whole.substring(0, length));
      assertThatThrownBy(() -> IntentText.head(cut))
          .as("%d characters", length)
          .isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n\n",
        "end\t0",
        "penstock-intent\t4\nend\t1",
        "penstock-intent-page\t4\nupload\tb\tk\tid\tx\te\t5\nend\t2",
        "penstock-intent-page\t4\nupload\tb\tk\tid\nend\t2",
        "penstock-intent-page\t4\nother\nend\t2"
      })
  void garbageIsAnErrorThatSaysSo(String text) {
    assertThatThrownBy(() -> IntentText.head(bytes(text))).hasMessageContaining("damaged");
    assertThatThrownBy(() -> IntentText.filesOfPage(bytes(text))).hasMessageContaining("damaged");
  }

  @Test
  void anIntentOfAnotherVersionSaysWhatToDo() {
    String older = text(IntentText.of(INTENT, "t", 0)).replace("intent\t4\n", "intent\t3\n");
    assertThatThrownBy(() -> IntentText.head(bytes(older)))
        .hasMessageContaining("version 3")
        .hasMessageContaining("the same version of Penstock on all clusters");
  }
}
