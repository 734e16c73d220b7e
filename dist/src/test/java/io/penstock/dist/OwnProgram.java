/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.dist;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A program with the AWS SDK that knows nothing of Penstock. */
public final class OwnProgram {
  private OwnProgram() {}

  /** Writes an object to the bucket lake at this endpoint. */
  public static void write(URI endpoint) {
    try (S3Client s3 =
        S3Client.builder()
            .endpointOverride(endpoint)
            .forcePathStyle(true)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any-secret")))
            .httpClient(Apache5HttpClient.create())
            .build()) {
      s3.putObject(b -> b.bucket("lake").key("own"), RequestBody.fromString("content"));
    }
  }
}
