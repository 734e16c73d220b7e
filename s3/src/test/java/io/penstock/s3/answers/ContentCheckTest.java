/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3.answers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.RecordingServer;
import io.penstock.s3.RecordingServer.Answer;
import io.penstock.s3.TestStores;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContentCheckTest {
  /** MD5s of {@code content}, and of the 16 bytes of that. */
  private static final String MD5 = "9a0364b9e99bb480dd25e1f0284c8555";

  private static final String MD5_OF_PART = "73ad9750e8d5fcf7936433620b4baa21-1";

  private final Deque<Answer> answers = new ArrayDeque<>();
  private RecordingServer server;
  private ObjectStore store;

  @BeforeEach
  void open() throws IOException {
    server = RecordingServer.answering(request -> answers.remove());
    store = open(Map.of());
  }

  private ObjectStore open(Map<String, String> more) throws IOException {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("penstock.endpoint", server.http());
    settings.put("penstock.credentials", "anonymous");
    return TestStores.open("lake", Settings.of(settings));
  }

  @AfterEach
  void close() {
    store.close();
    server.close();
  }

  private static Answer answer(String content, String etag) {
    return Answer.ok(content).with("ETag", '"' + etag + '"');
  }

  private String get(ObjectStore from, Answer... given) throws IOException {
    answers.addAll(List.of(given));
    return new String(from.get("key", new ByteRange(0, 100), Optional.empty()).bytes(), UTF_8);
  }

  private String get(Answer... given) throws IOException {
    return get(store, given);
  }

  @Test
  void contentThatFitsItsEtagIsBelieved() throws IOException {
    assertThat(get(answer("content", MD5))).isEqualTo("content");
    assertThat(get(answer("content", MD5_OF_PART))).isEqualTo("content");
  }

  @Test
  void aFlippedBitIsAskedForAgain() throws IOException {
    for (String etag : List.of(MD5, MD5_OF_PART)) {
      assertThat(get(answer("coNtent", etag), answer("content", etag))).isEqualTo("content");
    }
    assertThat(answers).isEmpty();
  }

  @Test
  void twoDifferentAnswersOfWhichNoneFitsAreALostAnswer() {
    assertThatThrownBy(() -> get(answer("coNtent", MD5), answer("cOntent", MD5)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("did not match the object's ETag")
        .extracting(e -> ((StoreException) e).kind())
        .isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void theSameBytesTwiceAreBelievedAndNotAskedForTwiceAnyMore() throws IOException {
    assertThat(get(answer("strange", MD5), answer("strange", MD5))).isEqualTo("strange");
    assertThat(get(answer("strange", MD5))).isEqualTo("strange");
    assertThat(answers).isEmpty();
  }

  @Test
  void whereNothingEverFitsThreeObjectsAreEnough() throws IOException {
    for (String key : List.of("a", "b", "c")) {
      answers.addAll(List.of(answer(key, MD5), answer(key, MD5)));
      store.get(key, new ByteRange(0, 100), Optional.empty());
    }
    assertThat(get(answer("another", MD5))).isEqualTo("another");
    assertThat(answers).isEmpty();
  }

  @Test
  void whereSomethingHasFittedEveryObjectIsCompared() throws IOException {
    get(answer("content", MD5));
    for (String key : List.of("a", "b", "c", "d")) {
      answers.addAll(List.of(answer(key, MD5), answer(key, MD5)));
      store.get(key, new ByteRange(0, 100), Optional.empty());
      assertThat(answers).isEmpty();
    }
  }

  @Test
  void whatIsEncryptedWithKeysOfOthersHasOtherEtags() throws IOException {
    assertThat(get(answer("other", MD5).with("x-amz-server-side-encryption", "aws:kms")))
        .isEqualTo("other");
    assertThat(
            get(
                answer("other", MD5)
                    .with("x-amz-server-side-encryption-customer-algorithm", "AES256")))
        .isEqualTo("other");
    assertThat(get(answer("of many parts", MD5 + "-2"))).isEqualTo("of many parts");
  }

  @Test
  void itCanBeSwitchedOff() throws IOException {
    try (ObjectStore unchecked = open(Map.of("penstock.checksum.reads", "false"))) {
      assertThat(get(unchecked, answer("other", MD5))).isEqualTo("other");
    }
  }
}
