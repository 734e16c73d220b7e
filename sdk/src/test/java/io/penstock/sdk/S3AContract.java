/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import io.penstock.emulator.s3.EmbeddedS3;
import io.penstock.hadoop.s3a.PenstockStreamFactory;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractBondedFSContract;
import org.apache.hadoop.fs.s3a.S3AFileSystem;

/**
 * What Hadoop's suites may expect of S3A that reads by Penstock's streams. It compiles with each
 * Hadoop from 3.4.2 on: {@code .ci/s3a-lines} runs the suites on the older ones.
 */
public final class S3AContract extends AbstractBondedFSContract {
  private static final List<String> SUPPORTED =
      List.of(
          "is-blobstore",
          "create-visibility-delayed",
          "is-case-sensitive",
          "supports-getfilestatus",
          "supports-seek",
          "rejects-seek-past-eof",
          "supports-strict-exceptions",
          "supports-unbuffer",
          "vector-io-early-eof-check");

  public S3AContract(Configuration conf, EmbeddedS3 server) {
    super(readingByPenstock(conf, server));
    SUPPORTED.forEach(name -> getConf().setBoolean("fs.contract." + name, true));
    getConf().set("fs.contract.test.random-seek-count", "10");
    getConf().set("fs.contract.test.fs.s3a", "s3a://lake");
  }

  static Configuration readingByPenstock(Configuration conf, EmbeddedS3 server) {
    conf.set("fs.s3a.impl", S3AFileSystem.class.getName());
    conf.set("fs.s3a.endpoint", server.endpoint().toString());
    conf.set("fs.s3a.endpoint.region", "us-east-1");
    conf.set("fs.s3a.path.style.access", "true");
    conf.set("fs.s3a.access.key", "any");
    conf.set("fs.s3a.secret.key", "any-secret");
    conf.set("fs.s3a.input.stream.type", "custom");
    conf.set("fs.s3a.input.stream.custom.factory", PenstockStreamFactory.class.getName());
    return conf;
  }

  @Override
  public String getScheme() {
    return "s3a";
  }

  @Override
  public Path getTestPath() {
    return new Path("/contract");
  }
}
