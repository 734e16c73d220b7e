/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.checkpoint.ClaimWatch.OvertakenException;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClaimWatchTest {
  private static final Writer FIRST = new Writer(0, "app-1", "host-a", 11, "query-1", "run-a");
  private static final Writer SECOND = new Writer(0, "app-2", "host-b", 22, "query-1", "run-b");

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Map<String, byte[]> files = new TreeMap<>();
  private final Claims claims = new Claims(new MapShelf());
  private int reads;
  private IOException failure;
  private ClaimWatch watch;

  private final class MapShelf implements Claims.Shelf {
    @Override
    public List<String> names() {
      return List.copyOf(files.keySet());
    }

    @Override
    public boolean create(String name, byte[] content) {
      return files.putIfAbsent(name, content) == null;
    }

    @Override
    public Optional<byte[]> read(String name) throws IOException {
      reads++;
      if (failure != null) {
        throw failure;
      }
      return Optional.ofNullable(files.get(name));
    }

    @Override
    public void delete(String name) {
      files.remove(name);
    }
  }

  @BeforeEach
  void claim() throws IOException {
    watch = new ClaimWatch(claims, claims.claim(FIRST, time.now()), time);
  }

  private void overtake() throws IOException {
    claims.claim(SECOND, time.now());
  }

  @Test
  void aLookIsEnoughForTheWritesOfASecond() throws IOException {
    watch.requireNotOvertaken(() -> true);
    time.advance(Duration.ofMillis(900));
    watch.requireNotOvertaken(() -> true);
    assertThat(reads).as("the run's own claim, and the next one").isEqualTo(2);
    time.advance(Duration.ofMillis(200));
    watch.requireNotOvertaken(() -> true);
    assertThat(reads).isEqualTo(4);
  }

  @Test
  void onceThereIsALaterClaimEveryWriteLooks() throws IOException {
    overtake();
    watch.requireNotOvertaken(() -> false);
    assertThatThrownBy(() -> watch.requireNotOvertaken(() -> true))
        .isInstanceOf(OvertakenException.class);
  }

  @Test
  void whoWasOvertakenIsToldByWhom() throws IOException {
    watch.requireNotOvertaken(() -> true);
    overtake();
    time.advance(Duration.ofMinutes(10));
    assertThatThrownBy(() -> watch.requireNotOvertaken(() -> true))
        .isInstanceOf(OvertakenException.class)
        .hasMessage(
            "Another run, application app-2 on host-b (pid 22, run run-b, epoch 2), claimed this"
                + " checkpoint after this run, application app-1 on host-a (pid 11, run run-a,"
                + " epoch 1). This run must stop; the query continues in the other run.");
  }

  @Test
  void aLaterClaimAloneStopsNobody() throws IOException {
    overtake();
    watch.requireNotOvertaken(() -> false);
    time.advance(Duration.ofSeconds(1));
    assertThatThrownBy(() -> watch.requireNotOvertaken(() -> true))
        .isInstanceOf(OvertakenException.class);
  }

  /** The directory is deleted and a new query begins there, while the old driver is paused. */
  @Test
  void aRunWhoseCheckpointWasDeletedAndBegunAnewIsStopped() throws IOException {
    overtake();
    ClaimWatch third = new ClaimWatch(claims, claims.claim(FIRST, time.now()), time);
    files.clear();
    third.requireNotOvertaken(() -> true);
    overtake();
    time.advance(Duration.ofMinutes(10));
    assertThatThrownBy(() -> third.requireNotOvertaken(() -> false))
        .isInstanceOf(OvertakenException.class)
        .hasMessageContaining("app-2");
    assertThatThrownBy(third::look).isInstanceOf(OvertakenException.class);
  }

  @Test
  void aRunWhoseOwnEpochBelongsToAnotherRunIsStopped() {
    files.clear();
    assertThatThrownBy(
            () -> {
              overtake();
              watch.requireNotOvertaken(() -> false);
            })
        .isInstanceOf(OvertakenException.class)
        .hasMessageContaining("app-2");
  }

  @Test
  void aLookThatIsAskedForIsMade() throws IOException {
    watch.requireNotOvertaken(() -> true);
    overtake();
    assertThatThrownBy(watch::look).isInstanceOf(OvertakenException.class);
  }

  @Test
  void aLookThatFailedIsNoAnswer() throws IOException {
    failure = new IOException("the store is down");
    assertThatThrownBy(() -> watch.requireNotOvertaken(() -> true)).hasMessage("the store is down");
    failure = null;
    watch.requireNotOvertaken(() -> true);
    assertThat(reads).isEqualTo(3);
  }

  @Test
  void aClaimThatCannotBeReadOvertakesToo() {
    files.put("000002", new byte[] {1, 2});
    assertThatThrownBy(() -> watch.requireNotOvertaken(() -> true))
        .isInstanceOf(OvertakenException.class)
        .hasMessageStartingWith("Another run, application unknown on unknown");
  }
}
