/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.config.Settings;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.keys.Keys;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PendingUpload;
import io.penstock.core.store.parts.Upload;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store on a bucket whose policy denies writes and deletions without a condition. */
class DemandedConditionsTest {
  private static final String POLICY =
      "PutObject[plain]=403,CompleteMultipartUpload[plain]=403,CopyObject[plain]=403,"
          + "DeleteObject[plain]=403,DeleteObjects[plain]=403";

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
    faults(POLICY);
  }

  private void faults(String rules) {
    server.weather(Weather.CALM.withFaults(rules));
  }

  private static Body content(int size) {
    return Body.ofBytes(new byte[size]);
  }

  private List<String> keys() throws IOException {
    return Keys.under(server.store("lake"), "").stream().map(ObjectMeta::key).toList();
  }

  private long requests(String operation) {
    return server.counts().of(operation);
  }

  @Test
  void aNewObjectTakesOneRequestOnceThePolicyIsKnown() throws IOException {
    store.put("a", content(1), Condition.NONE);
    assertThat(requests("PutObject")).isEqualTo(2);
    store.put("b", content(1), Condition.NONE);
    assertThat(requests("PutObject")).isEqualTo(3);
    assertThat(requests("HeadObject")).isZero();
    assertThat(keys()).containsExactly("a", "b");
  }

  @Test
  void anObjectIsReplaced() throws IOException {
    store.put("a", content(1), Condition.NONE);
    store.put("a", content(2), Condition.NONE);
    assertThat(store.head("a").sizeBytes()).isEqualTo(2);
    store.copy("a", "b", Optional.empty());
    store.put("a", content(3), Condition.NONE);
    store.copy("a", "b", Optional.empty());
    assertThat(store.head("b").sizeBytes()).isEqualTo(3);
  }

  @Test
  void anUploadIsCompletedAndReplacesAnObject() throws IOException {
    for (int size : new int[] {4, 5}) {
      Upload upload = store.createUpload("a");
      Part part = store.uploadPart(upload, 1, content(size));
      store.completeUpload(new PendingUpload(upload, List.of(part)), Condition.NONE);
      assertThat(store.head("a").sizeBytes()).isEqualTo(size);
    }
    assertThat(requests("CompleteMultipartUpload")).isEqualTo(2 + 2);
  }

  @Test
  void objectsAreDeletedOneByOneAndInBulk() throws IOException {
    for (String key : List.of("a", "b", "c", "d", "e")) {
      store.put(key, content(1), Condition.NONE);
    }
    store.delete("missing");
    store.delete("a");
    assertThat(store.deleteAll(List.of("b", "c", "missing"))).isEmpty();
    assertThat(store.deleteAll(List.of("d"))).isEmpty();
    assertThat(keys()).containsExactly("e");
    assertThat(requests("DeleteObject")).isEqualTo(3);
    assertThat(requests("DeleteObjects")).isEqualTo(2);
  }

  @Test
  void aBulkDeleteFindsOutForItself() throws IOException {
    store.put("a", content(1), Condition.NONE);
    store.put("b", content(1), Condition.NONE);
    assertThat(store.deleteAll(List.of("a", "b"))).isEmpty();
    assertThat(store.deleteAll(List.of("a", "b"))).isEmpty();
    assertThat(keys()).isEmpty();
    assertThat(requests("DeleteObjects")).isEqualTo(2 + 1);
  }

  @Test
  void theConditionOfTheCallerIsKept() throws IOException {
    store.put("a", content(1), Condition.NONE);
    String etag = store.head("a").etag();
    store.put("a", content(2), Condition.ifMatch(etag));
    assertThatThrownBy(() -> store.put("a", content(3), Condition.ifMatch(etag)))
        .hasMessageContaining("PreconditionFailed");
    assertThatThrownBy(() -> store.delete("a", Condition.ifMatch(etag)))
        .hasMessageContaining("PreconditionFailed");
    Map<String, StoreException> failed =
        store.deleteAll(Map.of("a", Condition.ifMatch(etag), "b", Condition.NONE));
    assertThat(failed).containsOnlyKeys("a");
    assertThat(store.get("a", new ByteRange(0, 9), Optional.empty()).bytes()).hasSize(2);
  }

  @Test
  void whatIsDeniedUnderAConditionTooFailsAsBefore() {
    faults("PutObject=403,DeleteObject=403,DeleteObjects[a]=403");
    assertThatThrownBy(() -> store.put("a", content(1), Condition.NONE))
        .hasMessageContaining("PUT s3://lake/a")
        .hasMessageContaining("lack s3:PutObject")
        .hasMessageNotContaining("If-Match");
    assertThatThrownBy(() -> store.delete("a")).hasMessageContaining("lack s3:DeleteObject");
    assertThat(requests("PutObject")).isEqualTo(2);
    assertThat(requests("DeleteObject")).isEqualTo(2);
  }

  @Test
  void aBucketOfObjectsThatStaySaysWhyOneIsNotReplaced() throws IOException {
    store.put("a", content(1), Condition.NONE);
    faults("PutObject#2-9=403");
    assertThatThrownBy(() -> store.put("a", content(2), Condition.NONE))
        .hasMessageContaining("lack s3:PutObject")
        .hasMessageContaining("accepts new objects (If-None-Match), but this key has an object");
  }

  @Test
  void aPrefixThatThePolicyLeavesAloneIsWrittenAsBefore() throws IOException {
    server.store("lake").put("log/a", content(1), Condition.NONE);
    store.put("strict/a", content(1), Condition.NONE);
    faults("PutObject[strict/]=403,HeadObject=403,GetObject=403");
    store.put("log/a", content(2), Condition.NONE);
    assertThat(server.store("lake").head("log/a").sizeBytes()).isEqualTo(2);
  }

  @Test
  void whoMayNotCompareDeletesWithoutComparing() throws IOException {
    String etag = server.store("lake").put("a", content(1), Condition.NONE);
    server.store("lake").put("b", content(1), Condition.NONE);
    server.store("lake").put("c", content(1), Condition.NONE);
    // A store that denies a deletion with an ETag, as Amazon S3 does without s3:GetObject.
    faults("DeleteObject#1=403,DeleteObjects[a]=403,DeleteObjects[b]=403");
    store.delete("c", Condition.ifMatch(etag));
    assertThat(keys()).containsExactly("a", "b");
    faults("DeleteObject#1=403");
    store.delete("a", Condition.ifMatch(etag));
    assertThat(keys()).containsExactly("b");
  }

  @Test
  void theRightToReadIsNamedWhereItIsNeededToReplace() throws IOException {
    store.put("a", content(1), Condition.NONE);
    faults(POLICY + ",HeadObject=403,GetObject=403");
    assertThatThrownBy(() -> store.put("a", content(2), Condition.NONE))
        .hasMessageContaining("s3:GetObject");
  }
}
