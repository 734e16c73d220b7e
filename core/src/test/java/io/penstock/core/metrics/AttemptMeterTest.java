/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.caller.Caller;
import io.penstock.core.caller.Origin;
import io.penstock.core.metrics.StoreMetrics.Count;
import io.penstock.core.request.Attempt;
import io.penstock.core.request.BodyGate;
import io.penstock.core.request.Context;
import io.penstock.core.request.ObserveLayer;
import io.penstock.core.request.Request;
import io.penstock.core.request.ThreadEnd;
import io.penstock.core.sending.LayeredStores;
import io.penstock.core.store.Body;
import io.penstock.core.store.ByteRange;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.ObjectStoreContract;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.Upload;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AttemptMeterTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final FaultyStore faulty = new FaultyStore(new InMemoryStore("lake", time));
  private final StoreMetrics metrics = new StoreMetrics();
  private final RequestEvents events = new RequestEvents();
  private final AttemptMeter meter = new AttemptMeter(time, metrics, events);
  private final ObjectStore store = LayeredStores.observed(faulty, time, meter);

  @Nested
  class Contract extends ObjectStoreContract {
    @Override
    protected ObjectStore openStore() {
      return LayeredStores.observed(new InMemoryStore("lake", time), time, meter);
    }
  }

  @Test
  void aListingThatFindsNothingIsMissed() throws IOException {
    store.put("a/b", Body.ofBytes(new byte[1]), Condition.NONE);

    store.list(ListRequest.flat("a/"));
    store.list(ListRequest.level("a/"));
    store.list(ListRequest.level(""));
    assertThat(metrics.counts()).containsEntry(Operation.LIST, new Count(3, 0, 0, 0, 0, 0, 0));

    store.list(ListRequest.flat("b/"));
    assertThat(metrics.counts()).containsEntry(Operation.LIST, new Count(4, 1, 0, 0, 0, 0, 0));
  }

  @Test
  void everyOperationIsCountedOnce() throws IOException {
    store.put("a", Body.ofBytes(new byte[10]), Condition.NONE);
    store.get("a", new ByteRange(2, 6), Optional.empty());
    store.head("a");
    store.list(ListRequest.flat(""));
    store.copy("a", "b", Optional.empty());
    Upload upload = store.createUpload("c");
    store.uploadPart(upload, 1, Body.ofBytes(new byte[7]));
    store.copyPart(upload, 2, "a", new ByteRange(0, 3));
    store.listUploads("c", Optional.empty());
    store.abortUpload(upload);
    store.delete("b");
    store.deleteAll(List.of("a", "b"));

    assertThat(metrics.counts())
        .containsEntry(Operation.PUT, new Count(1, 0, 0, 0, 10, 0, 0))
        .containsEntry(Operation.GET, new Count(1, 0, 0, 0, 0, 4, 0))
        .containsEntry(Operation.HEAD, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.LIST, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.COPY, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.CREATE_UPLOAD, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.UPLOAD_PART, new Count(1, 0, 0, 0, 7, 0, 0))
        .containsEntry(Operation.COPY_PART, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.LIST_UPLOADS, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.ABORT_UPLOAD, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.DELETE, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.DELETE_ALL, new Count(1, 0, 0, 0, 0, 0, 0))
        .containsEntry(Operation.COMPLETE_UPLOAD, new Count(0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void aFailedAttemptIsAnAttemptAndAFailureAndSentItsBytes() {
    faulty.failBefore(Operation.PUT, 1, Kind.SERVER_ERROR);
    faulty.failBefore(Operation.PUT, 2, Kind.THROTTLED);

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> store.put("a", Body.ofBytes(new byte[5]), Condition.NONE))
          .isInstanceOf(StoreException.class);
    }

    assertThat(metrics.counts()).containsEntry(Operation.PUT, new Count(2, 0, 1, 1, 10, 0, 0));
  }

  @Test
  void theTimeAnAttemptTakesIsAddedUp() throws IOException {
    ObjectStore slow =
        new StoreWrapper(new InMemoryStore("lake", time)) {
          @Override
          protected <T> T around(Operation operation, String key, long sentBytes, Call<T> call)
              throws IOException {
            time.advance(Duration.ofMillis(30));
            return call.run();
          }
        };
    ObjectStore measured = LayeredStores.observed(slow, time, meter);

    measured.put("a", Body.empty(), Condition.NONE);
    measured.put("b", Body.empty(), Condition.NONE);

    assertThat(metrics.counts().get(Operation.PUT).busyNanos()).isEqualTo(60_000_000);
  }

  @Test
  void everyAttemptIsTold() throws IOException {
    List<RequestEvent> told = new ArrayList<>();
    events.add(told::add);
    faulty.failBefore(Operation.PUT, 1, Kind.THROTTLED);
    assertThatThrownBy(() -> store.put("a", Body.ofBytes(new byte[10]), Condition.NONE))
        .isInstanceOf(StoreException.class);
    Origin origin = new Origin("app-1", OptionalLong.of(7), Optional.empty());
    Caller.beginTask(origin);
    Context slow = Context.of(Caller.current());
    Caller.endTask();
    Context beside = slow.beside(Attempt.beside(slow.attempt()), 1, new BodyGate());
    Request<String> put = Request.<String>of(Operation.PUT, "lake", "a").sending(10);
    new ObserveLayer(new ThreadEnd(), time, List.of(meter)).send(put, beside, own -> "etag");

    assertThat(told).extracting(RequestEvent::outcome).containsExactly("THROTTLED", "OK");
    assertThat(told).extracting(RequestEvent::beside).containsExactly(false, true);
    assertThat(told).extracting(RequestEvent::sentBytes).containsExactly(10L, 10L);
    assertThat(told).extracting(RequestEvent::origin).containsExactly(Origin.NONE, origin);
  }
}
