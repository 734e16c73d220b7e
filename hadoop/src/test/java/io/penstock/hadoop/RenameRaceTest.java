/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.chance.Chance;
import io.penstock.core.stack.Engine;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.emulator.weather.Weather;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two processes rename a file of their own to one name at once, as Iceberg's Hadoop catalog does.
 */
class RenameRaceTest {
  private static final int NAMES = 60;

  private EmbeddedS3 s3;
  private final ExecutorService racers = Executors.newFixedThreadPool(2);

  @BeforeEach
  void start() throws IOException {
    s3 = EmbeddedS3.builder().bucket("lake").start();
  }

  @AfterEach
  void stop() {
    racers.shutdownNow();
    s3.close();
  }

  private FileSystem process() throws IOException {
    FileSystem fs = new PenstockFileSystem(new Engine(SystemTime.INSTANCE, Chance.ofTheMachine()));
    fs.initialize(URI.create("s3://lake"), EmbeddedFs.conf(s3, Map.of()));
    return fs;
  }

  private static boolean renames(FileSystem fs, CyclicBarrier start, String from, String to)
      throws Exception {
    start.await();
    return fs.rename(EmbeddedFs.path(from), EmbeddedFs.path(to));
  }

  private static void write(FileSystem fs, String key, int sizeBytes, int owner)
      throws IOException {
    try (FSDataOutputStream out = fs.create(EmbeddedFs.path(key))) {
      out.write(new byte[sizeBytes]);
      out.write(owner);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "20, ''",
    "20, 'PutObject@0.2=reset-after,PutObject@0.1=500-after'",
    "1048600, ''",
    "1048600, 'CompleteMultipartUpload@0.2=reset-after'"
  })
  void oneOfTwoWins(int sizeBytes, String faults) throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    try (FileSystem one = process();
        FileSystem two = process()) {
      List<FileSystem> processes = List.of(one, two);
      for (int name = 0; name < NAMES; name++) {
        String target = "t/v" + name + ".json";
        for (int i = 0; i < 2; i++) {
          write(processes.get(i), source(name, i), sizeBytes, i);
        }
        s3.weather(faults.isEmpty() ? Weather.CALM : Weather.CALM.withFaults(faults));
        List<Future<Boolean>> wins = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          FileSystem fs = processes.get(i);
          String from = source(name, i);
          wins.add(racers.submit(() -> renames(fs, start, from, target)));
        }
        boolean first = wins.get(0).get();
        boolean second = wins.get(1).get();
        s3.weather(Weather.CALM);
        assertThat(first ^ second).as(target + ": " + first + " and " + second).isTrue();
        assertThat(last(one, target)).as("the winner's").isEqualTo(first ? 0 : 1);
        assertThat(one.exists(EmbeddedFs.path(source(name, first ? 1 : 0)))).isTrue();
        assertThat(one.exists(EmbeddedFs.path(source(name, first ? 0 : 1)))).isFalse();
      }
    }
  }

  private static String source(int name, int owner) {
    return "t/" + name + "-" + owner + ".tmp";
  }

  private static int last(FileSystem fs, String key) throws IOException {
    Path path = EmbeddedFs.path(key);
    try (var in = fs.open(path)) {
      in.seek(fs.getFileStatus(path).getLen() - 1);
      return in.read();
    }
  }
}
