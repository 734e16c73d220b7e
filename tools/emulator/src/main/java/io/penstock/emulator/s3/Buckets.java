/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ListRequest;
import io.penstock.core.store.ObjectStore;
import io.penstock.core.time.Time;
import io.penstock.emulator.api.S3Error;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/** The buckets of an endpoint by name. */
final class Buckets {
  private final StoreFactory factory;
  private final Set<String> readOnly;
  private final Time time;
  private final Map<String, Bucket> buckets = new ConcurrentSkipListMap<>();

  /** One bucket. */
  record Bucket(ObjectStore store, UploadRegistry uploads, Instant created, boolean isReadOnly) {}

  Buckets(StoreFactory factory, Set<String> readOnly, Time time) {
    this.factory = factory;
    this.readOnly = Set.copyOf(readOnly);
    this.time = time;
  }

  /** Creates a bucket. Does nothing when a bucket of that name exists. */
  synchronized void create(String name) throws IOException {
    if (!name.matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")) {
      throw new S3Failure(400, "InvalidBucketName", "The specified bucket is not valid.");
    }
    if (!buckets.containsKey(name)) {
      ObjectStore store = factory.open(name);
      buckets.put(
          name, new Bucket(store, new UploadRegistry(), time.now(), readOnly.contains(name)));
    }
  }

  /** Deletes a bucket. Refuses when the bucket is not empty. */
  synchronized void delete(String name) throws IOException {
    Bucket bucket = get(name);
    if (!bucket.store().list(ListRequest.flat("").limit(1)).isEmpty()) {
      throw new S3Failure(409, "BucketNotEmpty", "The bucket you tried to delete is not empty");
    }
    buckets.remove(name);
    bucket.store().close();
  }

  Bucket get(String name) throws S3Failure {
    return find(name).orElseThrow(() -> noSuchBucket(name));
  }

  Optional<Bucket> find(String name) {
    return Optional.ofNullable(buckets.get(name));
  }

  Map<String, Bucket> all() {
    return buckets;
  }

  void close() {
    buckets.values().forEach(bucket -> bucket.store().close());
  }

  static S3Failure noSuchBucket(String name) {
    return new S3Failure(
        new S3Error(
            404,
            "NoSuchBucket",
            "The specified bucket does not exist",
            Map.of("BucketName", name)));
  }
}
