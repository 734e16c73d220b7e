/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import io.penstock.core.store.keys.Keys;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store on an endpoint that answers as odd stores and proxies do. */
class HostileStoreTest {
  private static final byte[] CONTENT = {1, 2, 3, 4, 5};

  @AutoClose private EmbeddedS3 server;
  @AutoClose private ObjectStore store;

  @BeforeEach
  void start() throws IOException {
    server = EmbeddedS3.builder().bucket("lake").start();
    store =
        TestStores.open(
            "lake",
            Settings.of(
                Map.of(
                    "penstock.endpoint", server.endpoint().toString(),
                    "penstock.access.key", "any",
                    "penstock.secret.key", "any-secret")));
  }

  private void faults(String rules) {
    server.weather(Weather.CALM.withFaults(rules));
  }

  private List<String> put(String... keys) throws IOException {
    for (String key : keys) {
      server.store("lake").put(key, Body.ofBytes(CONTENT), Condition.NONE);
    }
    return List.of(keys);
  }

  private List<String> keys() throws IOException {
    return Keys.under(server.store("lake"), "").stream().map(ObjectMeta::key).toList();
  }

  private interface Call {
    void run() throws IOException;
  }

  private static void assertFails(Kind kind, Call call) {
    StoreException e = catchThrowableOfType(StoreException.class, call::run);
    assertThat(e).isNotNull();
    assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
  }

  @Test
  void theRestOfABulkDeleteIsDoneWhenTheRightForOneKeyIsMissing() throws IOException {
    List<String> all = put("t/p=1/a", "t/p=2/a&<b>", "t/p=3/a");
    faults("DeleteObjects[t/p=2/]=403,DeleteObject[t/p=2/]=403");
    Map<String, StoreException> failed = Keys.deletePage(store, all);
    assertThat(failed).containsOnlyKeys("t/p=2/a&<b>");
    assertThat(failed.get("t/p=2/a&<b>"))
        .hasMessageContaining("s3://lake/t/p=2/a&<b>")
        .hasMessageContaining("s3:DeleteObject");
    assertThat(keys()).containsExactly("t/p=2/a&<b>");
    assertFails(Kind.ACCESS_DENIED, () -> store.delete("t/p=2/a&<b>"));
    assertThat(Keys.deletePage(store, all)).containsOnlyKeys("t/p=2/a&<b>");
  }

  @Test
  void aBulkDeleteThatWasNotDoneIsAskedForAgain() throws IOException {
    for (String odd :
        List.of(
            "DeleteObjects#1=empty",
            "DeleteObjects#1=empty-result",
            "DeleteObjects=empty",
            "DeleteObjects=empty-result",
            "DeleteObjects=html",
            "DeleteObjects=bad-xml")) {
      List<String> all = put("a", "b", "c");
      faults(odd);
      assertThat(Keys.deletePage(store, all)).as(odd).isEmpty();
      assertThat(keys()).as(odd).isEmpty();
    }
  }

  @Test
  void nothingCountsAsDeletedBehindACaptiveProxy() throws IOException {
    List<String> all = put("a", "b");
    faults("*=html");
    assertFails(Kind.NOT_S3, () -> Keys.deletePage(store, all));
    assertFails(Kind.NOT_S3, () -> store.delete("a"));
    assertFails(Kind.NOT_S3, () -> store.list(ListRequest.flat("")));
    assertFails(Kind.NOT_S3, () -> store.head("a"));
    assertFails(Kind.NOT_S3, () -> store.get("a", new ByteRange(0, 5), Optional.empty()));
    assertFails(Kind.NOT_S3, () -> store.put("d", Body.ofBytes(CONTENT), Condition.NONE));
    assertThat(keys()).containsExactly("a", "b");
  }

  @Test
  void anErrorInsideASuccessIsRepeatable() throws IOException {
    List<String> all = put("a", "b");
    faults("DeleteObjects=500-inside");
    assertFails(Kind.SERVER_ERROR, () -> store.deleteAll(all));
  }

  @Test
  void aNameThatTheStoreRefusesCanBeDeletedAndIsNeverThere() throws IOException {
    String bad = "t/" + "k".repeat(300) + "/a";
    faults("*[segment>255]=bad-name,*[has:%01]=bad-name");
    assertFails(Kind.INVALID_REQUEST, () -> store.put(bad, Body.ofBytes(CONTENT), Condition.NONE));
    for (String key : List.of(bad, "x\u0001")) {
      assertFails(Kind.NO_SUCH_KEY, () -> store.head(key));
      store.delete(key);
    }
    List<String> all = new ArrayList<>(put("a", "b"));
    all.add(bad);
    all.add("x\u0001");
    assertThat(Keys.deletePage(store, all)).isEmpty();
    assertThat(keys()).isEmpty();
  }

  @Test
  void aHeadWithoutLengthIsNeverAnEmptyObject() throws IOException {
    put("a");
    server.store("lake").put("empty", Body.empty(), Condition.NONE);
    faults("HeadObject=no-length");
    assertThat(store.head("a").sizeBytes()).isEqualTo(5);
    assertThat(store.head("empty").sizeBytes()).isZero();
    faults("HeadObject=no-length,GetObject=no-length");
    assertThat(store.head("a").sizeBytes()).isEqualTo(5);
  }

  @Test
  void weakEtagsAreReadAndCompared() throws IOException {
    put("a");
    String listed = store.list(ListRequest.flat("")).objects().get(0).etag();
    faults("*=weak-etag");
    String weak = store.head("a").etag();
    assertThat(weak).isEqualTo("W/\"" + listed + "\"");
    for (String etag : List.of(weak, listed)) {
      assertThat(store.get("a", new ByteRange(1, 3), Optional.of(etag)).bytes())
          .isEqualTo(new byte[] {2, 3});
    }
    store.copy("a", "b", Optional.of(weak));
    server.store("lake").put("a", Body.ofBytes(new byte[9]), Condition.NONE);
    assertFails(
        Kind.PRECONDITION_FAILED, () -> store.get("a", new ByteRange(1, 3), Optional.of(weak)));
    assertFails(Kind.PRECONDITION_FAILED, () -> store.delete("a", Condition.ifMatch(weak)));
    assertFails(Kind.PRECONDITION_FAILED, () -> store.copy("a", "c", Optional.of(weak)));
    assertThat(keys()).containsExactly("a", "b");
  }

  @Test
  void anObjectWithoutEtagIsReadByItsTimeAndSize() throws IOException {
    put("a");
    String strong = store.head("a").etag();
    faults("*=no-etag");
    String etag = store.head("a").etag();
    assertThat(Etags.isOfTime(etag)).isTrue();
    ByteRange two = new ByteRange(1, 3);
    assertThat(store.get("a", two, Optional.empty()).meta().etag()).isEqualTo(etag);
    assertThat(store.get("a", two, Optional.of(etag)).bytes()).isEqualTo(new byte[] {2, 3});
    store.copy("a", "b", Optional.of(etag));

    assertThatThrownBy(() -> store.get("a", two, Optional.of(strong)))
        .hasMessageContaining("no ETag");
    assertThatThrownBy(() -> store.put("b", Body.ofBytes(CONTENT), Condition.NONE))
        .hasMessageContaining("no ETag");
    server.store("lake").put("a", Body.ofBytes(new byte[9]), Condition.NONE);
    assertFails(Kind.PRECONDITION_FAILED, () -> store.get("a", two, Optional.of(etag)));
    assertFails(Kind.PRECONDITION_FAILED, () -> store.delete("a", Condition.ifMatch(etag)));
    assertFails(Kind.PRECONDITION_FAILED, () -> store.copy("a", "c", Optional.of(etag)));
  }

  @Test
  void aListingThatCannotGoOnIsNotTakenForWhole() throws IOException {
    put("a", "b", "c");
    faults("ListObjectsV2=no-token,ListMultipartUploads=no-token");
    assertFails(Kind.NOT_S3, () -> store.list(ListRequest.flat("").limit(2)));
    assertFails(Kind.NOT_S3, () -> store.list(ListRequest.flat("")));
    assertFails(Kind.NOT_S3, () -> store.listUploads("", Optional.empty()));
  }
}
