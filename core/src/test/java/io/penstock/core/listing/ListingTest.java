/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListPage;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreTraits;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ListingTest {
  private static final int KEYS = 30_500;
  private static final InMemoryStore BARE = new InMemoryStore("lake", SystemTime.INSTANCE);
  private static final List<String> EXPECTED = new ArrayList<>();

  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger failing = new AtomicInteger(Integer.MAX_VALUE);
  private final AtomicInteger inParallel = new AtomicInteger();
  private final ExecutorService pool = Executors.newFixedThreadPool(16);
  private final Thread caller = Thread.currentThread();

  private final StoreWrapper counted =
      new StoreWrapper(BARE) {
        @Override
        public ListPage list(ListRequest request) throws IOException {
          if (Thread.currentThread() != caller) {
            inParallel.incrementAndGet();
          }
          if (requests.incrementAndGet() % failing.get() == 0) {
            throw StoreException.of(
                StoreException.Kind.SERVER_ERROR, Operation.LIST, request.prefix(), "fails");
          }
          return inner.list(request);
        }
      };

  @BeforeAll
  static void fill() throws IOException {
    for (int i = 0; i < KEYS; i++) {
      String key = "t/p=%03d/part-%02d".formatted(i / 100, i % 100);
      EXPECTED.add(key);
      BARE.put(key, Body.empty(), Condition.NONE);
    }
    BARE.put("u/other", Body.empty(), Condition.NONE);
  }

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  private Listing listing(int pagesMax) {
    return new Listing(counted, "t/", pool, new ListConfig(pagesMax));
  }

  private static List<String> keys(Listing listing) throws IOException {
    List<String> keys = new ArrayList<>();
    listing.forEach(objects -> objects.stream().map(ObjectMeta::key).forEach(keys::add));
    return keys;
  }

  @Test
  void aLongListingIsRequestedByManyThreadsAndIsInOrder() throws IOException {
    assertThat(keys(listing(16))).isEqualTo(EXPECTED);
    assertThat(requests.get()).isBetween(31, 35);
    assertThat(inParallel.get()).isPositive();
  }

  @Test
  void onePageAtOnceIsOneRequestAPage() throws IOException {
    assertThat(keys(listing(1))).isEqualTo(EXPECTED);
    assertThat(requests).hasValue(31);
  }

  @Test
  void aShortListingIsRequestedByTheCaller() throws IOException {
    Listing listing = new Listing(counted, "t/p=00", pool, new ListConfig(16));
    assertThat(keys(listing)).hasSize(1_000);
    assertThat(requests).hasValue(1);
    assertThat(inParallel).hasValue(0);
  }

  @Test
  void theFirstPageCostsOneRequestAndLaterOnesAreRequestedAhead() throws Exception {
    Listing listing = listing(16);
    assertThat(listing.next()).hasSize(1_000);
    assertThat(requests).hasValue(1);
    assertThat(listing.next()).hasSize(1_000);
    pool.shutdown();
    assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(requests).hasValue(3);
  }

  @Test
  void nothingIsListed() throws IOException {
    assertThat(new Listing(counted, "none/", pool, new ListConfig(16)).next()).isEmpty();
    assertThat(requests).hasValue(1);
  }

  /** The pool behaves like one whose threads are all busy. */
  @Test
  void aPoolThatRunsNothingDelaysNobody() throws IOException {
    Listing listing = new Listing(counted, "t/", work -> {}, new ListConfig(16));
    assertThat(keys(listing)).isEqualTo(EXPECTED);
    assertThat(inParallel).hasValue(0);
  }

  @Test
  void aListingGoesOnAfterAFailure() throws IOException {
    failing.set(3);
    Listing listing = listing(16);
    List<String> keys = new ArrayList<>();
    int failures = 0;
    while (true) {
      try {
        List<ObjectMeta> objects = listing.next();
        if (objects.isEmpty()) {
          break;
        }
        objects.forEach(object -> keys.add(object.key()));
      } catch (StoreException e) {
        failures++;
      }
    }
    assertThat(keys).isEqualTo(EXPECTED);
    assertThat(failures).isPositive();
  }

  /** MinIO may end a listing early that starts after a name, without a word. */
  @Test
  void aStoreThatMayLoseKeysIsListedByDirectories() throws IOException {
    StoreWrapper other =
        new StoreWrapper(counted) {
          @Override
          public StoreTraits traits() {
            return StoreTraits.unknown(PartNumbering.CONSECUTIVE);
          }

          @Override
          public ListPage list(ListRequest request) throws IOException {
            assertThat(request.startAfter()).isEmpty();
            return super.list(request);
          }
        };
    assertThat(keys(new Listing(other, "t/", pool, new ListConfig(16)))).isEqualTo(EXPECTED);
    // The directories are one request, and three prefixes may end with a page that is not full.
    assertThat(requests.get()).isBetween(32, 35);
    assertThat(inParallel.get()).isPositive();
  }

  /** A store that lists from the start whatever the request says. */
  @Test
  void aStoreThatStartsElsewhereIsNoticed() {
    StoreWrapper deaf =
        new StoreWrapper(BARE) {
          @Override
          public ListPage list(ListRequest request) throws IOException {
            return inner.list(request.after(""));
          }
        };
    Listing listing = new Listing(deaf, "t/", pool, new ListConfig(16));
    assertThatThrownBy(() -> keys(listing)).hasMessageContaining("set penstock.list.pages.max=1");
    assertThatThrownBy(listing::next).as("it must not go on").isInstanceOf(StoreException.class);
  }
}
