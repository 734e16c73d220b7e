/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.chance.Chance;
import io.penstock.core.stack.Engine;
import io.penstock.core.store.Body;
import io.penstock.core.store.Condition;
import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectMeta;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.time.SystemTime;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * A file system over a fresh embedded S3 with the bucket {@code lake}, whose requests are counted.
 */
public final class EmbeddedFs implements AutoCloseable {
  public final EmbeddedS3 s3;
  final Engine engine = new Engine(SystemTime.INSTANCE, Chance.ofTheMachine());
  public final FileSystem fs;

  public EmbeddedFs() throws IOException {
    this(EmbeddedS3.builder().bucket("lake").start(), Map.of());
  }

  public EmbeddedFs(EmbeddedS3 s3, Map<String, String> settings) throws IOException {
    this.s3 = s3;
    this.fs = new BulkDeletingFileSystem(engine);
    fs.initialize(URI.create("s3://lake"), conf(s3, settings));
  }

  public static Configuration conf(EmbeddedS3 s3, Map<String, String> settings) {
    Configuration conf = TestBucket.conf();
    conf.set("penstock.endpoint", s3.endpoint().toString());
    conf.set("penstock.conditional.writes", "true");
    // A machine busy with other work is no slow store: requests are counted exactly here.
    conf.set("penstock.hedge.enabled", "false");
    conf.set("penstock.deadline.enabled", "false");
    conf.set("penstock.retry.delay.min", "1ms");
    settings.forEach(conf::set);
    return conf;
  }

  public static Path path(String key) {
    return new Path("s3", "lake", "/" + key);
  }

  /** The bucket itself, past the endpoint: not counted. */
  public ObjectStore bucket() {
    return s3.store("lake");
  }

  public void put(String... keys) throws IOException {
    for (String key : keys) {
      byte[] content = key.endsWith("/") || key.endsWith("$folder$") ? new byte[0] : new byte[3];
      bucket().put(key, Body.ofBytes(content), Condition.NONE);
    }
  }

  public List<String> keys() throws IOException {
    return bucket().list(ListRequest.flat("")).objects().stream().map(ObjectMeta::key).toList();
  }

  public int pendingUploads() throws IOException {
    return bucket().listUploads("", Optional.empty()).uploads().size();
  }

  public void write(String key, byte[] content) throws IOException {
    try (FSDataOutputStream out = fs.create(path(key), true)) {
      out.write(content);
    }
  }

  public byte[] read(String key) throws IOException {
    try (FSDataInputStream in = fs.open(path(key))) {
      return in.readAllBytes();
    }
  }

  /** Names of a level, directories with a slash at the end, sorted. */
  List<String> list(String key) throws IOException {
    return Arrays.stream(fs.listStatus(path(key))).map(EmbeddedFs::name).sorted().toList();
  }

  List<String> listFiles(String key) throws IOException {
    List<String> found = new ArrayList<>();
    RemoteIterator<? extends FileStatus> files = fs.listFiles(path(key), true);
    while (files.hasNext()) {
      found.add(files.next().getPath().toUri().getPath().substring(1));
    }
    Collections.sort(found);
    return found;
  }

  private static String name(FileStatus status) {
    return status.getPath().getName() + (status.isDirectory() ? "/" : "");
  }

  @Override
  public void close() throws IOException {
    fs.close();
    s3.close();
  }
}
