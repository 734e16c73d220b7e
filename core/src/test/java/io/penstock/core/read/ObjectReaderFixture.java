/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.latency.TransferSpeed;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.FaultyStore;
import io.penstock.core.store.ObjectSlice;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.Range;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import io.penstock.core.time.VirtualTime;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** An object in a store that notes which ranges are requested, and readers of it. */
abstract class ObjectReaderFixture {
  /** Random reads of 10 at least, sequential ones from 100 up to 800. */
  static final ReadConfig CONFIG = new ReadConfig(10, 100, 800, 1, 1, 1 << 20);

  final ReadBudget budget = new ReadBudget();
  final Reads reads = new Reads(CONFIG, budget, TransferSpeed.ofReads(), SystemTime.INSTANCE, 64);
  final InMemoryStore bare =
      new InMemoryStore("lake", new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
  final FaultyStore store = new FaultyStore(bare);
  final List<String> ranges = new ArrayList<>();
  final ObjectStore recording =
      new StoreWrapper(store) {
        @Override
        public ObjectSlice get(String key, Range range, Optional<String> ifMatch)
            throws IOException {
          ranges.add(range.toHeader().substring("bytes=".length()));
          return super.get(key, range, ifMatch);
        }
      };

  final byte[] put(int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    bare.put("key", Body.ofBytes(content), Condition.NONE);
    return content;
  }

  final ObjectReader open(Range first, ReadPolicy policy) throws IOException {
    return ObjectReader.open(recording, "key", first, reads, policy, Runnable::run);
  }

  final ObjectReader known(long sizeBytes, Optional<String> etag, ReadPolicy policy) {
    return ObjectReader.ofKnown(recording, "key", sizeBytes, etag, reads, policy, Runnable::run);
  }

  static byte[] readAll(ObjectReader reader, int step) throws IOException {
    byte[] all = new byte[Math.toIntExact(reader.sizeBytes())];
    int position = 0;
    for (int n = 0; n >= 0; position += Math.max(n, 0)) {
      n = reader.read(position, all, position, Math.min(step, all.length - position));
      if (n == 0) {
        break;
      }
    }
    assertThat(position).isEqualTo(all.length);
    return all;
  }
}
