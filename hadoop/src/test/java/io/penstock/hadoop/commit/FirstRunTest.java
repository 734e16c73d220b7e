/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.hadoop.TestBucket;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobContext;
import org.apache.hadoop.mapred.JobContextImpl;
import org.apache.hadoop.mapred.JobID;
import org.junit.jupiter.api.Test;

/** The look of a job at its output, by which its commit knows whether it must still be empty. */
class FirstRunTest {
  private static final JobID ID = new JobID("20260101", 7);
  private static final String FOUND_NO_DATA = "io.penstock.job.found.no.data";

  private final JobConf conf = new JobConf(TestBucket.conf());

  @Test
  void aJobThatFindsNothingMustFindNothingAtItsCommit() throws IOException {
    assertThat(foundNoData("first/nothing")).isTrue();
  }

  @Test
  void whatADeadJobLeftIsNoData() throws IOException {
    create("first/dead/_penstock_job_1/task_1");
    create("first/dead/_penstock_intent_1.alone");

    assertThat(foundNoData("first/dead")).isTrue();
  }

  @Test
  void anEmptyDirectoryIsNoData() throws IOException {
    Path directory = path("first/empty");
    directory.getFileSystem(conf).mkdirs(directory);

    assertThat(foundNoData("first/empty")).isTrue();
  }

  @Test
  void aJobThatFindsDataWritesInPlace() throws IOException {
    create("first/again/_penstock_job_1/task_1");
    create("first/again/part-00000");
    create("first/again-below/p=1/part-00000");
    create("first/again-empty/_SUCCESS");

    assertThat(foundNoData("first/again")).isFalse();
    assertThat(foundNoData("first/again-below")).isFalse();
    assertThat(foundNoData("first/again-empty")).isFalse();
  }

  @Test
  void aJobWithoutValidationWritesInPlace() throws IOException {
    conf.set("validateOutputSpecs", "false");

    assertThat(foundNoData("first/unchecked")).isFalse();
  }

  @Test
  void aConfigurationThatServesTwoJobsTellsOfTheLastOne() throws IOException {
    assertThat(foundNoData("first/two")).isTrue();
    create("first/two/part-00000");

    assertThat(foundNoData("first/two")).isFalse();
  }

  @Test
  void anOutputThatIsAFileIsRefused() throws IOException {
    create("first/report.csv");

    assertThatThrownBy(() -> foundNoData("first/report.csv"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("first/report.csv is a file");
  }

  private boolean foundNoData(String output) throws IOException {
    FileOutputFormat.setOutputPath(conf, path(output));
    JobContext job = new JobContextImpl(conf, ID);
    new PenstockMapredCommitter().setupJob(job);
    String found = job.getConfiguration().get(FOUND_NO_DATA);
    assertThat(found).isIn(null, ID.toString());
    return found != null;
  }

  private void create(String key) throws IOException {
    path(key).getFileSystem(conf).create(path(key)).close();
  }

  private static Path path(String key) {
    return new Path(TestBucket.uri() + "/" + key);
  }
}
