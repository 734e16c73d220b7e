/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.meta.UserMetadata;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.store.parts.UploadsPage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of uploads in parts, from their creation to their completion or abort. */
interface UploadContract extends StoreUnderTest {
  int MIB = 1 << 20;

  @Test
  default void anUploadIsInvisibleUntilCompletedAndWholeAfter() throws IOException {
    byte[] first = content(5 * MIB);
    byte[] last = content(10);
    Upload upload = store().createUpload(prefix() + "object");
    Part part2 = store().uploadPart(upload, 2, Body.ofBytes(last));
    Part part1 = store().uploadPart(upload, 1, Body.ofBytes(first));
    assertThat(keysUnder("")).isEmpty();

    String etag =
        store().completeUpload(new PendingUpload(upload, List.of(part1, part2)), Condition.NONE);

    ObjectSlice tail = store().get(prefix() + "object", new SuffixRange(20), Optional.of(etag));
    assertThat(tail.meta().sizeBytes()).isEqualTo(5L * MIB + 10);
    assertThat(Arrays.copyOfRange(tail.bytes(), 10, 20)).isEqualTo(last);
    assertThat(tail.bytes()[9]).isEqualTo(first[first.length - 1]);
  }

  @Test
  default void theMarkOfAnUploadIsItsObjects() throws IOException {
    Upload upload = store().createUpload(prefix() + "object", Optional.of("a1;b=2"));
    Part part = store().uploadPart(upload, 1, Body.ofBytes(content(3)));
    store().completeUpload(new PendingUpload(upload, List.of(part)), Condition.IF_ABSENT);
    assertThat(store().head(prefix() + "object").writeId()).contains("a1;b=2");
  }

  @Test
  default void theMetadataOfAnUploadIsItsObjects() throws IOException {
    UserMetadata user = UserMetadata.of(Map.of("Owner", "team a", "run-id", "417"));
    Upload upload = store().createUpload(prefix() + "object", Optional.of("a1"), user);
    Part part = store().uploadPart(upload, 1, Body.ofBytes(content(3)));
    store().completeUpload(new PendingUpload(upload, List.of(part)), Condition.IF_ABSENT);
    ObjectMeta found = store().head(prefix() + "object");
    assertThat(found.user().values()).isEqualTo(Map.of("owner", "team a", "run-id", "417"));
    assertThat(found.writeId()).contains("a1");
  }

  @Test
  default void aPartSentAgainReplacesTheFirst() throws IOException {
    Upload upload = store().createUpload(prefix() + "object");
    store().uploadPart(upload, 1, Body.ofBytes(content(10)));
    Part again = store().uploadPart(upload, 1, Body.ofBytes(content(20)));
    store().completeUpload(new PendingUpload(upload, List.of(again)), Condition.NONE);
    assertThat(store().head(prefix() + "object").sizeBytes()).isEqualTo(20);
  }

  @Test
  default void aPartThatIsNotTheLastNeeds5Mib() throws IOException {
    Upload upload = store().createUpload(prefix() + "object");
    Part small = store().uploadPart(upload, 1, Body.ofBytes(content(10)));
    Part last = store().uploadPart(upload, 2, Body.ofBytes(content(10)));
    PendingUpload pending = new PendingUpload(upload, List.of(small, last));
    assertFails(Kind.INVALID_REQUEST, () -> store().completeUpload(pending, Condition.NONE));
    store().abortUpload(upload);
  }

  @Test
  default void anAbortedUploadIsGone() throws IOException {
    Upload upload = store().createUpload(prefix() + "object");
    Part part = store().uploadPart(upload, 1, Body.ofBytes(content(10)));
    store().abortUpload(upload);
    store().abortUpload(upload);
    PendingUpload pending = new PendingUpload(upload, List.of(part));
    assertFails(Kind.NO_SUCH_UPLOAD, () -> store().completeUpload(pending, Condition.NONE));
    assertThat(keysUnder("")).isEmpty();
  }

  @Test
  default void theLastPartOfEachNumberIsListed() throws IOException {
    Upload upload = store().createUpload(prefix() + "object");
    store().uploadPart(upload, 2, Body.ofBytes(content(20)));
    Part first = store().uploadPart(upload, 1, Body.ofBytes(content(10)));
    Part second = store().uploadPart(upload, 2, Body.ofBytes(content(7)));
    assertThat(Keys.parts(store(), upload)).containsExactly(first, second);
    store().abortUpload(upload);
    assertFails(Kind.NO_SUCH_UPLOAD, () -> store().listParts(upload, Optional.empty()));
  }

  @Test
  default void uploadsInProgressAreListedByTheirKey() throws IOException {
    Upload upload = store().createUpload(prefix() + "object");
    assertThat(store().listUploads(prefix() + "object", Optional.empty()).uploads())
        .extracting(UploadsPage.Listed::upload)
        .containsExactly(upload);
    store().abortUpload(upload);
    assertThat(store().listUploads(prefix() + "object", Optional.empty()).uploads()).isEmpty();
  }

  @Test
  default void anUploadIsListedByItsKeyAsItIs() throws IOException {
    for (String name : List.of("p=1/a b", "p=a%3Ab/100%", "q+r/x&y")) {
      Upload upload = store().createUpload(prefix() + name);
      assertThat(store().listUploads(upload.key(), Optional.empty()).uploads())
          .extracting(UploadsPage.Listed::upload)
          .containsExactly(upload);
      store().abortUpload(upload);
    }
  }

  @Test
  default void completeIfAbsentFailsAndKeepsTheUploadWhenThereIsAnObject() throws IOException {
    put("object", content(1));
    Upload upload = store().createUpload(prefix() + "object");
    Part part = store().uploadPart(upload, 1, Body.ofBytes(content(2)));
    PendingUpload pending = new PendingUpload(upload, List.of(part));
    assertFails(
        Kind.PRECONDITION_FAILED, () -> store().completeUpload(pending, Condition.IF_ABSENT));
    store().completeUpload(pending, Condition.NONE);
    assertThat(store().head(prefix() + "object").sizeBytes()).isEqualTo(2);
  }

  @Test
  default void aRangeOfAnObjectBecomesAPart() throws IOException {
    byte[] source = content(6 * MIB);
    put("source+ü", source);
    Upload upload = store().createUpload(prefix() + "copy");
    Part first = store().copyPart(upload, 1, prefix() + "source+ü", new ByteRange(0, 5 * MIB));
    Part last = store().copyPart(upload, 2, prefix() + "source+ü", new ByteRange(5 * MIB, 6 * MIB));
    store().completeUpload(new PendingUpload(upload, List.of(first, last)), Condition.NONE);
    assertThat(store().get(prefix() + "copy", new ByteRange(0, 6 * MIB), Optional.empty()).bytes())
        .isEqualTo(source);
  }

  @Test
  default void aRangePastTheEndOfItsSourceBecomesNoPart() throws IOException {
    put("source", content(1000));
    Upload upload = store().createUpload(prefix() + "copy");
    for (ByteRange range : List.of(new ByteRange(900, 1001), new ByteRange(1000, 1001))) {
      assertFails(
          Kind.INVALID_REQUEST, () -> store().copyPart(upload, 1, prefix() + "source", range));
    }
    store().abortUpload(upload);
  }
}
