/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * The behaviour of every {@link ObjectStore}, which every wrapper leaves as it is. A store that
 * differs overrides that one test and says why.
 */
public abstract class ObjectStoreContract {
  private static final int MIB = 1 << 20;

  protected ObjectStore store;
  protected String prefix;

  /** A store over an existing bucket, which other tests may be using under other prefixes. */
  protected abstract ObjectStore openStore() throws Exception;

  @BeforeEach
  void openTheStore(TestInfo test) throws Exception {
    store = openStore();
    prefix = "contract/" + test.getTestMethod().orElseThrow().getName() + "/";
    deleteEverything();
  }

  @AfterEach
  void closeTheStore() throws Exception {
    deleteEverything();
    store.close();
  }

  private void deleteEverything() throws IOException {
    for (String key : keysUnder("")) {
      store.delete(prefix + key);
    }
  }

  // ---- objects

  @Test
  public void whatWasPutIsRead() throws IOException {
    byte[] content = content(100_000);
    String etag = put("object", content);

    ObjectSlice read = store.get(prefix + "object", new ByteRange(0, 100_000), Optional.empty());

    assertThat(read.bytes()).isEqualTo(content);
    assertThat(read.start()).isZero();
    assertThat(read.meta().sizeBytes()).isEqualTo(100_000);
    assertThat(read.meta().etag()).isEqualTo(etag).doesNotContain("\"");
    assertThat(read.meta().key()).isEqualTo(prefix + "object");
  }

  @Test
  public void headTellsSizeEtagAndTimeAsGetAndListDo() throws IOException {
    put("object", content(1234));

    ObjectMeta head = store.head(prefix + "object");
    ObjectMeta got = store.get(prefix + "object", new ByteRange(0, 1), Optional.empty()).meta();
    ObjectMeta listed = store.list(ListRequest.flat(prefix)).objects().get(0);

    assertThat(head.sizeBytes()).isEqualTo(1234);
    assertThat(got).isEqualTo(head);
    assertThat(listed.key()).isEqualTo(head.key());
    assertThat(listed.sizeBytes()).isEqualTo(head.sizeBytes());
    assertThat(listed.etag()).isEqualTo(head.etag());
  }

  @Test
  public void aRangeGivesJustItsBytes() throws IOException {
    byte[] content = content(1000);
    put("object", content);

    ObjectSlice middle = store.get(prefix + "object", new ByteRange(200, 300), Optional.empty());

    assertThat(middle.start()).isEqualTo(200);
    assertThat(middle.bytes()).isEqualTo(Arrays.copyOfRange(content, 200, 300));
    assertThat(middle.meta().sizeBytes()).isEqualTo(1000);
  }

  @Test
  public void aRangeMayReachPastTheEndButNotStartThere() throws IOException {
    byte[] content = content(1000);
    put("object", content);

    ObjectSlice tail = store.get(prefix + "object", new ByteRange(900, 5000), Optional.empty());

    assertThat(tail.bytes()).isEqualTo(Arrays.copyOfRange(content, 900, 1000));
    assertFails(
        Kind.RANGE_NOT_SATISFIABLE,
        () -> store.get(prefix + "object", new ByteRange(1000, 1001), Optional.empty()));
  }

  @Test
  public void aSuffixGivesTheLastBytesOrTheWholeObject() throws IOException {
    byte[] content = content(1000);
    put("object", content);

    ObjectSlice tail = store.get(prefix + "object", new SuffixRange(10), Optional.empty());
    ObjectSlice all = store.get(prefix + "object", new SuffixRange(5000), Optional.empty());

    assertThat(tail.start()).isEqualTo(990);
    assertThat(tail.bytes()).isEqualTo(Arrays.copyOfRange(content, 990, 1000));
    assertThat(all.start()).isZero();
    assertThat(all.bytes()).isEqualTo(content);
  }

  @Test
  public void anEmptyObjectExistsAndHasNoRange() throws IOException {
    store.put(prefix + "empty", Body.empty(), Condition.NONE);

    assertThat(store.head(prefix + "empty").sizeBytes()).isZero();
    assertFails(
        Kind.RANGE_NOT_SATISFIABLE,
        () -> store.get(prefix + "empty", new ByteRange(0, 1), Optional.empty()));
    assertFails(
        Kind.RANGE_NOT_SATISFIABLE,
        () -> store.get(prefix + "empty", new SuffixRange(10), Optional.empty()));
  }

  @Test
  public void aMissingKeyIsNoSuchKeyForEveryRead() {
    assertFails(Kind.NO_SUCH_KEY, () -> store.head(prefix + "missing"));
    assertFails(
        Kind.NO_SUCH_KEY,
        () -> store.get(prefix + "missing", new ByteRange(0, 1), Optional.empty()));
    assertFails(
        Kind.NO_SUCH_KEY, () -> store.copy(prefix + "missing", prefix + "copy", Optional.empty()));
  }

  @Test
  public void aFailureNamesTheOperationAndTheObject() {
    assertThatThrownBy(() -> store.get(prefix + "missing", new ByteRange(0, 1), Optional.empty()))
        .hasMessageContaining("GET s3://" + store.bucket() + "/" + prefix + "missing");
  }

  @Test
  public void aReadPinnedToAnEtagFailsOnceTheObjectChanged() throws IOException {
    String first = put("object", content(10));
    store.get(prefix + "object", new ByteRange(0, 10), Optional.of(first));

    put("object", content(11));

    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store.get(prefix + "object", new ByteRange(0, 10), Optional.of(first)));
  }

  @Test
  public void anObjectOverwrittenIsTheNewOne() throws IOException {
    put("object", content(10));
    put("object", content(20));
    assertThat(store.head(prefix + "object").sizeBytes()).isEqualTo(20);
  }

  @Test
  public void deletingIsIdempotent() throws IOException {
    put("object", content(1));
    store.delete(prefix + "object");
    store.delete(prefix + "object");
    assertThat(keysUnder("")).isEmpty();
  }

  @Test
  public void manyKeysAreDeletedInOneRequest() throws IOException {
    List<String> keys = new ArrayList<>();
    for (String name : List.of("a", "b c", "d+e", "f%20g", "h&i<j>\"k'", "ü/語/😀", "missing")) {
      keys.add(prefix + name);
      if (!name.equals("missing")) {
        put(name, content(1));
      }
    }
    put("stays", content(1));

    assertThat(store.deleteAll(keys)).isEmpty();
    assertThat(keysUnder("")).containsExactly("stays");
  }

  @Test
  public void aCopyIsEqualAndPinnedToItsSource() throws IOException {
    byte[] content = content(5000);
    String etag = put("source ü+%", content);

    store.copy(prefix + "source ü+%", prefix + "copy", Optional.of(etag));

    assertThat(store.get(prefix + "copy", new ByteRange(0, 5000), Optional.empty()).bytes())
        .isEqualTo(content);
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store.copy(prefix + "source ü+%", prefix + "copy", Optional.of("0".repeat(32))));
  }

  // ---- keys

  @Test
  public void everyLegalKeyIsKeptAsItIs() throws IOException {
    String longest = "k".repeat(200) + "/";
    longest = longest.repeat(4) + "e".repeat(1024 - prefix.length() - 4 * 201);
    List<String> names =
        List.of(
            "plain",
            "with space",
            "a+b",
            "100%",
            "%2F",
            "q?x=1&y=2#z",
            "ünïcödé/語",
            "😀",
            "tilde~(x)!*'",
            "a=b,c;d:e@f$g",
            "back\\slash",
            "quote\"<&>",
            "dot.",
            longest);
    assertThat((prefix + longest).getBytes(UTF_8)).hasSize(1024);
    for (String name : names) {
      put(name, name.getBytes(UTF_8));
    }

    for (String name : names) {
      ObjectSlice read = store.get(prefix + name, new SuffixRange(2000), Optional.empty());
      assertThat(new String(read.bytes(), UTF_8)).isEqualTo(name);
    }
    assertThat(keysUnder("")).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  public void aKeyOfMoreThan1024BytesIsRefused() {
    String key = prefix + "k".repeat(200) + "/" + "ü".repeat(500);
    assertFails(
        Kind.INVALID_REQUEST, () -> store.put(key, Body.ofBytes(content(1)), Condition.NONE));
  }

  // ---- conditions

  @Test
  public void conditionalWritesAreSupported() throws IOException {
    assertThat(store.supportsConditionalWrites()).isTrue();
    assertThat(keysUnder("")).isEmpty();
  }

  @Test
  public void putIfAbsentWritesOnce() throws IOException {
    store.put(prefix + "once", Body.ofBytes(content(1)), Condition.IF_ABSENT);
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store.put(prefix + "once", Body.ofBytes(content(2)), Condition.IF_ABSENT));
    assertThat(store.head(prefix + "once").sizeBytes()).isEqualTo(1);
  }

  @Test
  public void putIfMatchReplacesOnlyThatObject() throws IOException {
    String first = put("object", content(1));
    String second =
        store.put(prefix + "object", Body.ofBytes(content(2)), Condition.ifMatch(first));
    assertThat(second).isNotEqualTo(first);
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store.put(prefix + "object", Body.ofBytes(content(3)), Condition.ifMatch(first)));
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store.put(prefix + "gone", Body.ofBytes(content(3)), Condition.ifMatch(first)));
  }

  @Test
  public void theMarkOfAConditionalPutComesBack() throws IOException {
    String key = prefix + "marked";
    String first = store.put(key, Body.ofBytes(content(1)), Condition.IF_ABSENT.marked("a1"));
    assertThat(store.head(key).mark()).contains("a1");
    assertThat(store.get(key, new ByteRange(0, 1), Optional.empty()).meta().mark()).contains("a1");
    assertFails(
        Kind.PRECONDITION_FAILED,
        () -> store.put(key, Body.ofBytes(content(1)), Condition.IF_ABSENT.marked("b2")));
    assertThat(store.head(key).mark()).contains("a1");
    store.put(key, Body.ofBytes(content(2)), Condition.ifMatch(first).marked("c3"));
    assertThat(store.head(key).mark()).contains("c3");
    assertThat(store.list(ListRequest.flat(key)).objects().get(0).mark()).isEmpty();
  }

  @Test
  public void aPlainPutLeavesNoMarkAndACopyKeepsThatOfItsSource() throws IOException {
    store.put(prefix + "marked", Body.ofBytes(content(1)), Condition.IF_ABSENT.marked("a1"));
    put("plain", content(1));

    store.copy(prefix + "marked", prefix + "copy", Optional.empty());
    assertThat(store.head(prefix + "copy").mark()).contains("a1");

    store.copy(prefix + "plain", prefix + "copy", Optional.empty());
    assertThat(store.head(prefix + "copy").mark()).isEmpty();
    put("marked", content(1));
    assertThat(store.head(prefix + "marked").mark()).isEmpty();
  }

  @Test
  public void ofManyPutsIfAbsentExactlyOneWins() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 5; round++) {
        String key = prefix + "race-" + round;
        List<Callable<Boolean>> writers =
            IntStream.range(0, 8).<Callable<Boolean>>mapToObj(i -> () -> wins(key, i)).toList();
        int winners = 0;
        for (Future<Boolean> result : threads.invokeAll(writers)) {
          winners += result.get() ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private boolean wins(String key, int writer) throws IOException {
    try {
      store.put(key, Body.ofBytes(content(100 + writer)), Condition.IF_ABSENT);
      return true;
    } catch (StoreException e) {
      assertThat(e.kind()).isIn(Kind.PRECONDITION_FAILED, Kind.CONFLICT);
      return false;
    }
  }

  // ---- listings

  @Test
  public void keysAreListedInUtf8Order() throws IOException {
    List<String> sorted = List.of("-", "0", "a", "a!", "a/b", "a0", "ü", "\uffee", "😀");
    List<String> shuffled = new ArrayList<>(sorted);
    java.util.Collections.reverse(shuffled);
    for (String name : shuffled) {
      put(name, content(1));
    }
    assertThat(keysUnder("")).containsExactlyElementsOf(sorted);
  }

  @Test
  public void aListingPagesThroughObjectsAndGroups() throws IOException {
    for (String name : List.of("a/1", "a/2", "b", "c/1", "c/2", "d", "e/1")) {
      put(name, content(1));
    }
    List<String> seen = new ArrayList<>();
    ListRequest request = ListRequest.level(prefix).limit(2);
    int pages = 0;
    while (true) {
      ListPage page = store.list(request);
      page.objects().forEach(object -> seen.add(object.key().substring(prefix.length())));
      page.groups().forEach(group -> seen.add(group.substring(prefix.length())));
      pages++;
      if (page.nextToken().isEmpty()) {
        break;
      }
      request = request.next(page.nextToken().get());
    }
    assertThat(seen).containsExactlyInAnyOrder("a/", "b", "c/", "d", "e/");
    assertThat(pages).isEqualTo(3);
  }

  @Test
  public void aListingStartsAfterAKey() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      put(name, content(1));
    }
    ListPage page = store.list(ListRequest.flat(prefix).after(prefix + "a"));
    assertThat(page.objects())
        .extracting(ObjectMeta::key)
        .containsExactly(prefix + "b", prefix + "c");
  }

  @Test
  public void aPrefixIsNotADirectory() throws IOException {
    put("p=1/x", content(1));
    put("p=10/x", content(1));
    put("p=1", content(1));
    assertThat(keysUnder("p=1/")).containsExactly("p=1/x");
    assertThat(keysUnder("p=1")).containsExactlyInAnyOrder("p=1", "p=1/x", "p=10/x");
  }

  @Test
  public void aKeyThatIsAPrefixOfAnotherIsAnObjectOfItsOwn() throws IOException {
    put("a", content(1));
    put("a/b", content(2));
    put("a/", new byte[0]);
    assertThat(store.head(prefix + "a").sizeBytes()).isEqualTo(1);
    assertThat(store.head(prefix + "a/b").sizeBytes()).isEqualTo(2);
    assertThat(store.head(prefix + "a/").sizeBytes()).isZero();
  }

  @Test
  public void nothingUnderAPrefixIsAnEmptyPage() throws IOException {
    ListPage page = store.list(ListRequest.flat(prefix));
    assertThat(page.isEmpty()).isTrue();
    assertThat(page.nextToken()).isEmpty();
  }

  // ---- uploads

  @Test
  public void anUploadIsInvisibleUntilCompletedAndWholeAfter() throws IOException {
    byte[] first = content(5 * MIB);
    byte[] last = content(10);
    Upload upload = store.createUpload(prefix + "object");
    Part part2 = store.uploadPart(upload, 2, Body.ofBytes(last));
    Part part1 = store.uploadPart(upload, 1, Body.ofBytes(first));
    assertThat(keysUnder("")).isEmpty();

    String etag =
        store.completeUpload(new PendingUpload(upload, List.of(part1, part2)), Condition.NONE);

    ObjectSlice tail = store.get(prefix + "object", new SuffixRange(20), Optional.of(etag));
    assertThat(tail.meta().sizeBytes()).isEqualTo(5L * MIB + 10);
    assertThat(Arrays.copyOfRange(tail.bytes(), 10, 20)).isEqualTo(last);
    assertThat(tail.bytes()[9]).isEqualTo(first[first.length - 1]);
  }

  @Test
  public void theMarkOfAnUploadIsItsObjects() throws IOException {
    Upload upload = store.createUpload(prefix + "object", Optional.of("a1;b=2"));
    Part part = store.uploadPart(upload, 1, Body.ofBytes(content(3)));
    store.completeUpload(new PendingUpload(upload, List.of(part)), Condition.IF_ABSENT);
    assertThat(store.head(prefix + "object").mark()).contains("a1;b=2");
  }

  @Test
  public void aPartSentAgainReplacesTheFirst() throws IOException {
    Upload upload = store.createUpload(prefix + "object");
    store.uploadPart(upload, 1, Body.ofBytes(content(10)));
    Part again = store.uploadPart(upload, 1, Body.ofBytes(content(20)));
    store.completeUpload(new PendingUpload(upload, List.of(again)), Condition.NONE);
    assertThat(store.head(prefix + "object").sizeBytes()).isEqualTo(20);
  }

  @Test
  public void aPartThatIsNotTheLastNeeds5Mib() throws IOException {
    Upload upload = store.createUpload(prefix + "object");
    Part small = store.uploadPart(upload, 1, Body.ofBytes(content(10)));
    Part last = store.uploadPart(upload, 2, Body.ofBytes(content(10)));
    PendingUpload pending = new PendingUpload(upload, List.of(small, last));
    assertFails(Kind.INVALID_REQUEST, () -> store.completeUpload(pending, Condition.NONE));
    store.abortUpload(upload);
  }

  @Test
  public void anAbortedUploadIsGone() throws IOException {
    Upload upload = store.createUpload(prefix + "object");
    Part part = store.uploadPart(upload, 1, Body.ofBytes(content(10)));
    store.abortUpload(upload);
    store.abortUpload(upload);
    PendingUpload pending = new PendingUpload(upload, List.of(part));
    assertFails(Kind.NO_SUCH_UPLOAD, () -> store.completeUpload(pending, Condition.NONE));
    assertThat(keysUnder("")).isEmpty();
  }

  @Test
  public void theLastPartOfEachNumberIsListed() throws IOException {
    Upload upload = store.createUpload(prefix + "object");
    store.uploadPart(upload, 2, Body.ofBytes(content(20)));
    Part first = store.uploadPart(upload, 1, Body.ofBytes(content(10)));
    Part second = store.uploadPart(upload, 2, Body.ofBytes(content(7)));
    assertThat(Keys.parts(store, upload)).containsExactly(first, second);
    store.abortUpload(upload);
    assertFails(Kind.NO_SUCH_UPLOAD, () -> store.listParts(upload, Optional.empty()));
  }

  @Test
  public void uploadsInProgressAreListedByTheirKey() throws IOException {
    Upload upload = store.createUpload(prefix + "object");
    assertThat(store.listUploads(prefix + "object", Optional.empty()).uploads())
        .extracting(UploadsPage.Listed::upload)
        .containsExactly(upload);
    store.abortUpload(upload);
    assertThat(store.listUploads(prefix + "object", Optional.empty()).uploads()).isEmpty();
  }

  @Test
  public void completeIfAbsentFailsAndKeepsTheUploadWhenThereIsAnObject() throws IOException {
    put("object", content(1));
    Upload upload = store.createUpload(prefix + "object");
    Part part = store.uploadPart(upload, 1, Body.ofBytes(content(2)));
    PendingUpload pending = new PendingUpload(upload, List.of(part));
    assertFails(Kind.PRECONDITION_FAILED, () -> store.completeUpload(pending, Condition.IF_ABSENT));
    store.completeUpload(pending, Condition.NONE);
    assertThat(store.head(prefix + "object").sizeBytes()).isEqualTo(2);
  }

  @Test
  public void aRangeOfAnObjectBecomesAPart() throws IOException {
    byte[] source = content(6 * MIB);
    put("source+ü", source);
    Upload upload = store.createUpload(prefix + "copy");
    Part first = store.copyPart(upload, 1, prefix + "source+ü", new ByteRange(0, 5 * MIB));
    Part last = store.copyPart(upload, 2, prefix + "source+ü", new ByteRange(5 * MIB, 6 * MIB));
    store.completeUpload(new PendingUpload(upload, List.of(first, last)), Condition.NONE);
    assertThat(store.get(prefix + "copy", new ByteRange(0, 6 * MIB), Optional.empty()).bytes())
        .isEqualTo(source);
  }

  @Test
  public void aRangePastTheEndOfItsSourceBecomesNoPart() throws IOException {
    put("source", content(1000));
    Upload upload = store.createUpload(prefix + "copy");
    for (ByteRange range : List.of(new ByteRange(900, 1001), new ByteRange(1000, 1001))) {
      assertFails(Kind.INVALID_REQUEST, () -> store.copyPart(upload, 1, prefix + "source", range));
    }
    store.abortUpload(upload);
  }

  // ---- helpers

  protected final String put(String name, byte[] content) throws IOException {
    return store.put(prefix + name, Body.ofBytes(content), Condition.NONE);
  }

  protected final List<String> keysUnder(String name) throws IOException {
    return store.list(ListRequest.flat(prefix + name)).objects().stream()
        .map(object -> object.key().substring(prefix.length()))
        .toList();
  }

  /** Bytes that differ by length, so that two contents never have the same ETag by accident. */
  protected static byte[] content(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  protected static void assertFails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }
}
