/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import io.penstock.core.config.Settings;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreProvider;
import io.penstock.core.time.Time;
import io.penstock.s3.answers.ConditionAnswers;
import io.penstock.s3.settings.S3Options;
import java.util.SplittableRandom;

/**
 * Opens the stores of one engine. They share clients, and the information found out about buckets.
 */
final class S3Stores implements StoreProvider.Stores {
  private final S3Clients clients;
  private final BucketRegions regions = new BucketRegions();
  private final BodyChecksums.Found checksums = new BodyChecksums.Found();
  private final ConditionAnswers conditions = new ConditionAnswers();
  private final DemandedConditions.Found demands = new DemandedConditions.Found();

  S3Stores(Time time, SplittableRandom chance) {
    ClientFactory factory = new ClientFactory(time, chance);
    this.clients = new S3Clients(time, factory::build);
  }

  @Override
  public ObjectStore open(String bucket, Settings settings) {
    return open(bucket, S3Options.from(bucket, settings.forBucket(bucket), System::getenv));
  }

  S3Store open(String bucket, S3Options options) {
    String endpoint = options.endpoint().shownWith(regions.of(bucket, options));
    RegionalClient client = new RegionalClient(bucket, options, clients, regions);
    return new S3Store(
        bucket,
        options,
        endpoint,
        client,
        checksums.of(bucket, options),
        new ConditionalWrites(options, conditions),
        demands.of(endpoint, bucket));
  }
}
