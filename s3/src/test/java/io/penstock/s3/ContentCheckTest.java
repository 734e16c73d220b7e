/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.s3.RecordingServer.Answer;
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
    return new S3StoreProvider().open("lake", Settings.of(settings));
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
  void aFlippedBitIsALostAnswerSoThatItIsAskedForAgain() throws IOException {
    for (String etag : List.of(MD5, MD5_OF_PART)) {
      assertThatThrownBy(() -> get(answer("coNtent", etag)))
          .isInstanceOf(StoreException.class)
          .extracting(e -> ((StoreException) e).kind())
          .isEqualTo(Kind.CONNECTION_LOST);
      assertThat(get(answer("content", etag))).isEqualTo("content");
      assertThatThrownBy(() -> get(answer("cOntent", etag))).hasMessageContaining("does not fit");
    }
  }

  @Test
  void theSameBytesASecondTimeAreBelieved() throws IOException {
    for (int i = 0; i < 3; i++) {
      String content = "strange " + i;
      assertThatThrownBy(() -> get(answer(content, MD5))).hasMessageContaining("does not fit");
      assertThat(get(answer(content, MD5))).isEqualTo(content);
    }
    // By now it is known that this store's ETags are something else.
    assertThat(get(answer("another", MD5))).isEqualTo("another");
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
