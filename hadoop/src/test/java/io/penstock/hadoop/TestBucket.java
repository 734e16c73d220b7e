/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.emulator.s3.Dialect;
import io.penstock.emulator.s3.EmbeddedS3;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Assumptions;

/**
 * Where the suites of this module run: on the embedded S3 of this process, which {@code
 * -Dpenstock.test.like} makes answer as another store, or, with {@code -Dpenstock.test.endpoint},
 * {@code .access.key}, {@code .secret.key} and {@code .bucket}, on a real server that has the
 * bucket, and one of that name with {@code -root} at its end, which is wiped.
 */
public final class TestBucket {
  private static final String PREFIX = "penstock.test.";
  private static EmbeddedS3 embedded;

  private TestBucket() {}

  public static String name() {
    return System.getProperty(PREFIX + "bucket", "lake");
  }

  public static URI uri() {
    return URI.create("s3://" + name());
  }

  /** Of the bucket whose content the root directory tests delete. */
  static URI rootUri() {
    return URI.create("s3://" + name() + "-root");
  }

  /** Skips a test that this server cannot pass; {@code -Dpenstock.test.server} names the server. */
  static void assumeNot(String server, String because) {
    String here = System.getProperty(PREFIX + "server", System.getProperty(PREFIX + "like"));
    Assumptions.assumeFalse(server.equals(here), because);
  }

  /** Returns false on a store without conditional writes, where an append is refused. */
  static boolean appends() {
    return !Set.of("gcs", "b2").contains(System.getProperty(PREFIX + "like", ""));
  }

  static boolean isReal() {
    return System.getProperty(PREFIX + "endpoint") != null;
  }

  /** The embedded S3, started when first asked for, for the whole test run. */
  static synchronized EmbeddedS3 embedded() {
    if (embedded == null) {
      try {
        embedded =
            EmbeddedS3.builder()
                .bucket("lake")
                .bucket("lake-root")
                .like(Dialect.named(System.getProperty(PREFIX + "like", "amazon")))
                .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return embedded;
  }

  static Configuration conf(Configuration conf) {
    conf.set("fs.s3.impl", PenstockFileSystem.bestClassName());
    conf.set("fs.AbstractFileSystem.s3.impl", PenstockFs.class.getName());
    conf.set(
        "penstock.endpoint",
        isReal() ? System.getProperty(PREFIX + "endpoint") : embedded().endpoint().toString());
    conf.set("penstock.path.style", "true");
    if (System.getProperty(PREFIX + "like", "").equals("r2")) {
      conf.set("penstock.upload.part.numbers", "uniform"); // as at R2's own endpoint
    }
    conf.set("penstock.region", System.getProperty(PREFIX + "region", "us-east-1"));
    conf.set("penstock.access.key", System.getProperty(PREFIX + "access.key", "test"));
    conf.set("penstock.secret.key", System.getProperty(PREFIX + "secret.key", "test-secret"));
    return conf;
  }

  public static Configuration conf() {
    return conf(new Configuration());
  }
}
