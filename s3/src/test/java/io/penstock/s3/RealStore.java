/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.s3;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;

/**
 * The server that the suites run against instead of the embedded one, when the system property
 * {@code penstock.test.endpoint} names it; {@code penstock.test.server} says which product it is.
 */
record RealStore(URI endpoint, String region, String accessKey, String secretKey, String bucket) {
  static Optional<RealStore> named() {
    return Optional.ofNullable(System.getProperty("penstock.test.endpoint"))
        .map(
            endpoint ->
                new RealStore(
                    URI.create(endpoint),
                    System.getProperty("penstock.test.region", "us-east-1"),
                    System.getProperty("penstock.test.access.key", "penstock"),
                    System.getProperty("penstock.test.secret.key", "penstock-secret"),
                    System.getProperty("penstock.test.bucket", "penstock-test")));
  }

  Map<String, String> settings() {
    return Map.of(
        "penstock.endpoint", endpoint.toString(),
        "penstock.region", region,
        "penstock.access.key", accessKey,
        "penstock.secret.key", secretKey);
  }

  /** Creates the bucket unless it is there. */
  void createBucket() {
    try (S3Client client = client()) {
      client.createBucket(request -> request.bucket(bucket));
    } catch (BucketAlreadyOwnedByYouException e) {
      // It is there: what we want.
    }
  }

  /** Returns another bucket of the server, which it creates and lets keep versions. */
  RealStore withVersions() {
    RealStore other = new RealStore(endpoint, region, accessKey, secretKey, bucket + "-versions");
    other.createBucket();
    try (S3Client client = client()) {
      client.putBucketVersioning(
          request ->
              request
                  .bucket(other.bucket())
                  .versioningConfiguration(now -> now.status(BucketVersioningStatus.ENABLED)));
    }
    return other;
  }

  private S3Client client() {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .forcePathStyle(true)
        .region(Region.of(region))
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)))
        .build();
  }
}
