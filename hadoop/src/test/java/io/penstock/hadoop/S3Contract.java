/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractBondedFSContract;

/** What Hadoop's contract suites may expect of us; the options are in contract/s3.xml. */
final class S3Contract extends AbstractBondedFSContract {
  S3Contract(Configuration conf, URI bucket) {
    super(TestBucket.conf(conf));
    addConfResource("contract/s3.xml");
    getConf().set("fs.contract.test.fs.s3", bucket.toString());
    getConf().setBoolean("fs.contract.supports-append", TestBucket.appends());
  }

  S3Contract(Configuration conf) {
    this(conf, TestBucket.uri());
  }

  @Override
  public String getScheme() {
    return "s3";
  }

  @Override
  public Path getTestPath() {
    return new Path("/contract");
  }
}
