/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of reading objects: whole, in ranges, pinned to an ETag, and missing. */
interface ReadContract extends StoreUnderTest {
  @Test
  default void whatWasPutIsRead() throws IOException {
    byte[] content = content(100_000);
    String etag = put("object", content);

    ObjectSlice read =
        store().get(prefix() + "object", new ByteRange(0, 100_000), Optional.empty());

    assertThat(read.bytes()).isEqualTo(content);
    assertThat(read.start()).isZero();
    assertThat(read.meta().sizeBytes()).isEqualTo(100_000);
    assertThat(read.meta().etag()).isEqualTo(etag).doesNotContain("\"");
    assertThat(read.meta().key()).isEqualTo(prefix() + "object");
  }

  @Test
  default void headTellsSizeEtagAndTimeAsGetAndListDo() throws IOException {
    put("object", content(1234));

    ObjectMeta head = store().head(prefix() + "object");
    ObjectMeta got = store().get(prefix() + "object", new ByteRange(0, 1), Optional.empty()).meta();
    ObjectMeta listed = store().list(ListRequest.flat(prefix())).objects().get(0);

    assertThat(head.sizeBytes()).isEqualTo(1234);
    assertThat(got).isEqualTo(head);
    assertThat(listed.key()).isEqualTo(head.key());
    assertThat(listed.sizeBytes()).isEqualTo(head.sizeBytes());
    assertThat(listed.etag()).isEqualTo(head.etag());
  }

  @Test
  default void aRangeGivesJustItsBytes() throws IOException {
    byte[] content = content(1000);
    put("object", content);

    ObjectSlice middle =
        store().get(prefix() + "object", new ByteRange(200, 300), Optional.empty());

    assertThat(middle.start()).isEqualTo(200);
    assertThat(middle.bytes()).isEqualTo(Arrays.copyOfRange(content, 200, 300));
    assertThat(middle.meta().sizeBytes()).isEqualTo(1000);
  }

  @Test
  default void aRangeMayReachPastTheEndButNotStartThere() throws IOException {
    byte[] content = content(1000);
    put("object", content);

    ObjectSlice tail = store().get(prefix() + "object", new ByteRange(900, 5000), Optional.empty());

    assertThat(tail.bytes()).isEqualTo(Arrays.copyOfRange(content, 900, 1000));
    assertFails(
        Kind.RANGE_NOT_SATISFIABLE,
        () -> store().get(prefix() + "object", new ByteRange(1000, 1001), Optional.empty()));
  }

  @Test
  default void aSuffixGivesTheLastBytesOrTheWholeObject() throws IOException {
    byte[] content = content(1000);
    put("object", content);

    ObjectSlice tail = store().get(prefix() + "object", new SuffixRange(10), Optional.empty());
    ObjectSlice all = store().get(prefix() + "object", new SuffixRange(5000), Optional.empty());

    assertThat(tail.start()).isEqualTo(990);
    assertThat(tail.bytes()).isEqualTo(Arrays.copyOfRange(content, 990, 1000));
    assertThat(all.start()).isZero();
    assertThat(all.bytes()).isEqualTo(content);
  }

  @Test
  default void anEmptyObjectExistsAndHasNoRange() throws IOException {
    store().put(prefix() + "empty", Body.empty(), Condition.NONE);

    assertThat(store().head(prefix() + "empty").sizeBytes()).isZero();
    assertFails(
        Kind.RANGE_NOT_SATISFIABLE,
        () -> store().get(prefix() + "empty", new ByteRange(0, 1), Optional.empty()));
    assertFails(
        Kind.RANGE_NOT_SATISFIABLE,
        () -> store().get(prefix() + "empty", new SuffixRange(10), Optional.empty()));
  }

  @Test
  default void aMissingKeyIsNoSuchKeyForEveryRead() {
    assertFails(Kind.NO_SUCH_KEY, () -> store().head(prefix() + "missing"));
    assertFails(
        Kind.NO_SUCH_KEY,
        () -> store().get(prefix() + "missing", new ByteRange(0, 1), Optional.empty()));
    assertFails(
        Kind.NO_SUCH_KEY,
        () -> store().copy(prefix() + "missing", prefix() + "copy", Optional.empty()));
  }

  @Test
  default void aFailureNamesTheOperationAndTheObject() {
    assertThatThrownBy(
            () -> store().get(prefix() + "missing", new ByteRange(0, 1), Optional.empty()))
        .hasMessageContaining("GET s3://" + store().bucket() + "/" + prefix() + "missing");
  }

  @Test
  default void aReadPinnedToAnEtagFailsOnceTheObjectChanged() throws IOException {
    String first = put("object", content(10));
    store().get(prefix() + "object", new ByteRange(0, 10), Optional.of(first));

    put("object", content(11));

    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store().get(prefix() + "object", new ByteRange(0, 10), Optional.of(first)));
  }

  /** Returns what arrives at a sink of the bytes from 0 to 1,000. */
  private byte[] landed(ByteRange range, String etag) throws IOException {
    byte[] into = new byte[1000];
    ReadResult landed =
        store()
            .read(
                prefix() + "object",
                range,
                etag,
                (position, bytes, offset, length) ->
                    System.arraycopy(bytes, offset, into, (int) position, length));
    assertThat(landed.range()).isEqualTo(new ByteRange(range.start(), Math.min(range.end(), 1000)));
    assertThat(landed.meta()).isEqualTo(store().head(prefix() + "object"));
    return into;
  }

  @Test
  default void aRangeIsPassedOnToASink() throws IOException {
    byte[] content = content(1000);
    String etag = put("object", content);

    byte[] expected = new byte[1000];
    System.arraycopy(content, 200, expected, 200, 100);
    assertThat(landed(new ByteRange(200, 300), etag)).isEqualTo(expected);
    assertThat(landed(new ByteRange(0, 5000), etag)).isEqualTo(content);
  }

  @Test
  default void nothingOfAnotherVersionIsPassedOn() throws IOException {
    String first = put("object", content(1000));
    put("object", content(1001));
    assertFails(
        Kind.PRECONDITION_FAILED,
        () ->
            store()
                .read(
                    prefix() + "object",
                    new ByteRange(0, 10),
                    first,
                    (position, bytes, offset, length) -> {
                      throw new AssertionError("passed on");
                    }));
    assertFails(
        Kind.NO_SUCH_KEY,
        () ->
            store()
                .read(
                    prefix() + "missing",
                    new ByteRange(0, 10),
                    first,
                    (position, bytes, offset, length) -> {
                      throw new AssertionError("passed on");
                    }));
  }
}
