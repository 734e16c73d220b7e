/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.commit.files.OutputTable;
import io.penstock.core.commit.intent.IntentFiles.Decided;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.Operation;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.StoreException.Kind;
import io.penstock.core.store.StoreWrapper;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.SystemTime;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A store that refuses conditional writes, as Backblaze B2 does. */
class UnconditionalDecisionTest {
  private static final class Refusing extends StoreWrapper {
    Refusing() {
      super(new InMemoryStore("lake", SystemTime.INSTANCE));
    }

    @Override
    public String put(String key, Body body, Condition condition) throws IOException {
      if (!condition.equals(Condition.NONE)) {
        throw StoreException.of(Kind.UNSUPPORTED, Operation.PUT, key, "no conditions.");
      }
      return super.put(key, body, condition);
    }
  }

  private final Refusing store = new Refusing();
  private final IntentFiles files =
      new IntentFiles(bucket -> store, new OutputTable("lake", "t/"), Runnable::run);

  @Test
  void theFirstDecisionStands() throws IOException {
    assertThat(files.decide("job", Decision.FORWARD))
        .isEqualTo(new Decided(Decision.FORWARD, true));
    assertThat(files.decide("job", Decision.BACK)).isEqualTo(new Decided(Decision.FORWARD, false));
    assertThat(files.decision("job")).contains(Decision.FORWARD);
  }
}
