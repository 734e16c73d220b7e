/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.chance.Chance;
import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.parts.PartNumbering;
import io.penstock.core.time.SystemTime;
import io.penstock.s3.settings.Endpoint;
import io.penstock.s3.settings.S3Keys.Checksum;
import io.penstock.s3.settings.S3Options;
import java.util.Optional;
import java.util.Set;

/** Opens stores that know nothing yet of any bucket. */
public final class TestStores {
  private TestStores() {}

  /** Returns stores that share what they find out, as those of one process do. */
  static S3Stores shared() {
    return new S3Stores(SystemTime.INSTANCE, Chance.ofTheMachine());
  }

  /** Opens a store that shares nothing with others. */
  public static ObjectStore open(String bucket, Settings settings) {
    return shared().open(bucket, settings);
  }

  /** Returns the settings of a store that takes its server for Amazon S3. */
  static S3Options asAmazon(S3Options options) {
    Endpoint real = options.endpoint();
    return new S3Options(
        new Endpoint(real.override(), Optional.empty(), true, true, Set.of()),
        options.accessPoint(),
        Optional.of("us-east-1"),
        "us-east-1",
        options.credentials(),
        options.encryption(),
        options.requesterPays(),
        options.storageClass(),
        options.acl(),
        options.tags(),
        options.bucketOwner(),
        // What is found out for another store by its first answers, and for a signature's sake.
        Set.of(Checksum.AUTO, Checksum.NONE).contains(options.checksum())
            ? Checksum.CRC32C
            : options.checksum(),
        options.checksReads(),
        options.conditionalWrites(),
        PartNumbering.CONSECUTIVE,
        options.http());
  }
}
