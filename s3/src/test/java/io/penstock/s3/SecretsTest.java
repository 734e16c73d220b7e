/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import static io.penstock.s3.GuardedLake.ID;
import static io.penstock.s3.GuardedLake.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.store.StoreException;
import io.penstock.s3.RecordingServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Credentials and signatures, which no failure shows. */
class SecretsTest {
  @AutoClose private final GuardedLake lake = new GuardedLake();

  @Test
  void noSecretIsEverShown() throws IOException {
    String leak =
        "you sent %s and %s, Authorization: AWS4-HMAC-SHA256 Credential=%s/x, Signature=beef"
            .formatted(ID, SECRET, ID);
    for (int status : new int[] {400, 403, 404, 500}) {
      StoreException e = lake.answered(Answer.error(status, "Odd", leak));
      for (Throwable t = e; t != null; t = t.getCause()) {
        assertThat(t.toString()).doesNotContain(ID, SECRET, "beef");
      }
    }
  }
}
