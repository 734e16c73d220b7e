/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.recent.LogOnce;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class RenameWarningsTest {
  private static final String TEMPORARY = ".5.0f0a4c1e-2b7d-4c55-9c7a-111122223333.tmp";

  private final LogOnce said = new LogOnce(10);
  private final RenameWarnings warnings = new RenameWarnings(said, () -> true);

  private boolean isWarnedOf(String output) {
    return !said.isNew(output);
  }

  @Test
  void theDirectoryOfHadoopsCommitterIsWarnedOf() {
    warnings.making(new Path("s3://lake/t/_temporary/0"));
    assertThat(isWarnedOf("s3://lake/t")).isTrue();
  }

  @Test
  void otherDirectoriesAreNot() {
    warnings.making(new Path("s3://lake/t/p=1"));
    warnings.making(new Path("s3://lake/t/my_temporary"));
    assertThat(isWarnedOf("s3://lake/t")).isFalse();
  }

  @Test
  void aCheckpointThatSparkItselfRenamesIsWarnedOf() {
    warnings.renaming(
        new Path("s3://lake/c/offsets/" + TEMPORARY), new Path("s3://lake/c/offsets/5"));
    assertThat(isWarnedOf("s3://lake/c")).isTrue();
  }

  @Test
  void otherRenamesAreNot() {
    Path target = new Path("s3://lake/c/offsets/5");
    warnings.renaming(new Path("s3://lake/c/offsets/4"), target);
    warnings.renaming(new Path("s3://lake/c/offsets/" + TEMPORARY.replace("5", "6")), target);
    warnings.renaming(new Path("s3://lake/c/t/" + TEMPORARY), new Path("s3://lake/c/t/5"));
    warnings.renaming(new Path("s3://lake/a"), new Path("s3://lake/"));
    assertThat(isWarnedOf("s3://lake/c")).isFalse();
  }
}
