/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store.keys;

/** The part of a URL that names a bucket. */
public final class BucketNames {
  private BucketNames() {}

  /**
   * Returns the name.
   *
   * @throws IllegalArgumentException if it may hold credentials, as older URLs did; the message
   *     does not repeat it
   */
  public static String checked(String bucket) {
    if (bucket.startsWith("arn:")) {
      throw new IllegalArgumentException(
          "an ARN stands where a URL names a bucket. Choose a name, s3://NAME/…, and set"
              + " penstock.bucket.NAME.access.point to the ARN of the access point");
    }
    if (bucket.indexOf(':') >= 0 || bucket.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "the name of a bucket has no colon and no @ in it. Credentials in a URL end up in logs:"
              + " set penstock.access.key and penstock.secret.key instead, and the store's address"
              + " as penstock.endpoint. Buckets of another tenant (Ceph's TENANT:BUCKET) are not"
              + " served: use the keys of a user of that tenant");
    }
    return bucket;
  }

  /** Returns what a user has written for a URL, or that it is not shown: a secret may be in it. */
  public static String shown(String url) {
    return url.indexOf('@') >= 0 ? "what was given (not shown, because it has an @ in it)" : url;
  }
}
