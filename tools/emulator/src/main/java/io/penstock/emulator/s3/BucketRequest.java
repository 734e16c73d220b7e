/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ObjectStore;
import io.penstock.emulator.api.Query;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;

/** A call on an existing bucket, with everything that is needed to answer it. */
record BucketRequest(S3Call call, HttpRequest request, Buckets.Bucket bucket, Buckets all) {
  String key() {
    return call.key();
  }

  Query query() {
    return call.query();
  }

  Headers headers() {
    return request.headers();
  }

  ObjectStore store() {
    return bucket.store();
  }
}
