/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import java.util.List;

/** Events as CloudTrail writes them. */
final class Trail {
  private Trail() {}

  /** Of a data event, with more fields before and behind those that vary. */
  static String event(String name, String key, String more) {
    return "{\"eventVersion\":\"1.09\",\"userIdentity\":{\"type\":\"AssumedRole\",\"principalId\":"
        + "\"AROA:i-1\",\"arn\":\"arn:aws:sts::111122223333:assumed-role/etl/i-1\",\"accountId\":"
        + "\"111122223333\",\"sessionContext\":{\"sessionIssuer\":{\"type\":\"Role\",\"arn\":"
        + "\"arn:aws:iam::111122223333:role/etl\",\"userName\":\"etl\"},\"attributes\":"
        + "{\"creationDate\":\"2026-03-01T09:00:00Z\",\"mfaAuthenticated\":\"false\"}}},"
        + "\"eventTime\":\"2026-03-01T10:20:30Z\",\"eventSource\":\"s3.amazonaws.com\","
        + "\"eventName\":\""
        + name
        + "\",\"awsRegion\":\"us-east-1\",\"sourceIPAddress\":"
        + "\"10.0.0.7\",\"userAgent\":\"[aws-sdk-java/2.35.4 Linux]\",\"requestParameters\":"
        + "{\"bucketName\":\"lake\",\"Host\":\"lake.s3.us-east-1.amazonaws.com\",\"key\":\""
        + key
        + "\"},\"responseElements\":null,\"additionalEventData\":{\"SignatureVersion\":\"SigV4\","
        + "\"CipherSuite\":\"TLS_AES_128_GCM_SHA256\",\"bytesTransferredIn\":0,"
        + "\"AuthenticationMethod\":\"AuthHeader\",\"x-amz-id-2\":\"h4sh/==\","
        + "\"bytesTransferredOut\":1024.0},\"requestID\":\"R1\",\"eventID\":\"e-1\",\"readOnly\":"
        + "true,\"resources\":[{\"type\":\"AWS::S3::Object\",\"ARN\":\"arn:aws:s3:::lake/"
        + key
        + "\"}],\"eventType\":\"AwsApiCall\",\"managementEvent\":false,\"eventCategory\":\"Data\""
        + more
        + "}";
  }

  static String file(List<String> events) {
    return "{\"Records\":[" + String.join(",", events) + "]}";
  }
}
