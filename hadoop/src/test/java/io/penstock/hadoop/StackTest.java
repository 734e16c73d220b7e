/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.stack.StoreStack;
import io.penstock.core.store.Body;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.Part;
import io.penstock.core.store.parts.PartNumbers;
import io.penstock.core.store.parts.Upload;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what the wrappers of a store must do together, each in its place. */
class StackTest {
  private static final String DATA_FILE =
      "t/part-00000-0f8fad5b-d9cb-469f-a165-70867728950e-c000.snappy.parquet";

  @Test
  void aPartThatIsSentAgainHasAnotherNumberWhereTheStoreNeedsIt() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      StoreStack stack = ((PenstockFileSystem) s3.fs).stack();
      for (ObjectStore store :
          List.of(stack.store(), stack.commitStore(), stack.readView(key -> true))) {
        PartNumbers numbers = store.traits().partNumbering().of(0);
        assertThat(numbers.areSpared()).isTrue();
        Upload upload = store.createUpload("t/x");
        s3.s3.weather(Weather.CALM.withFaults("UploadPart#1=500"));
        Part part = store.uploadPart(upload, numbers, Body.ofBytes(new byte[10]));
        assertThat(part.number()).isEqualTo(numbers.inRound(1).first());
      }
    }
  }

  @Test
  void onlyReadersSeeAStatusThatMayBeOutdated() throws IOException {
    try (EmbeddedFs s3 = new EmbeddedFs()) {
      s3.put(DATA_FILE);
      assertThat(s3.fs.getFileStatus(EmbeddedFs.path(DATA_FILE)).getLen()).isEqualTo(3);
      s3.bucket().delete(DATA_FILE); // as another process does
      assertThat(s3.fs.getFileStatus(EmbeddedFs.path(DATA_FILE)).getLen()).isEqualTo(3);
      assertThat(s3.fs.exists(EmbeddedFs.path(DATA_FILE))).isFalse();
      assertThat(s3.fs.delete(EmbeddedFs.path(DATA_FILE), false)).isFalse();
      assertThat(s3.fs.rename(EmbeddedFs.path(DATA_FILE), EmbeddedFs.path("t/y.parquet")))
          .isFalse();
      assertThat(s3.keys()).isEmpty();
    }
  }
}
