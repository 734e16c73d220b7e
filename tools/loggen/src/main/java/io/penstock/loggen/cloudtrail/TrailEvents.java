/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen.cloudtrail;

import io.penstock.loggen.chance.Mix;
import io.penstock.loggen.chance.Purpose;
import io.penstock.loggen.draw.CallBatch;
import io.penstock.loggen.plan.Call;
import io.penstock.loggen.plan.JobIdentity;
import io.penstock.loggen.plan.Plan;
import io.penstock.loggen.text.LineBuffer;
import io.penstock.loggen.text.Words;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/**
 * Writes CloudTrail's data events of the same requests. They have no latency, and times in whole
 * seconds.
 */
public final class TrailEvents {
  private static final long START_MILLIS = Plan.START.toEpochMilli();
  private static final String SESSION =
      JobIdentity.ACCOUNT + ":assumed-role/" + JobIdentity.ROLE + "/spark";
  private static final byte[] START =
      LineBuffer.bytes(
          "{\"eventVersion\":\"1.11\",\"userIdentity\":{\"type\":\"AssumedRole\",\"principalId\":"
              + "\"AROAEXAMPLEEXAMPLE123:spark\",\"arn\":\"arn:aws:sts::"
              + SESSION
              + "\",\"accountId\":\""
              + JobIdentity.ACCOUNT
              + "\",\"accessKeyId\":\"ASIAEXAMPLEEXAMPLE12\",\"sessionContext\":{\"sessionIssuer\":"
              + "{\"type\":\"Role\",\"principalId\":\"AROAEXAMPLEEXAMPLE123\",\"arn\":\"arn:aws:iam::"
              + JobIdentity.ACCOUNT
              + ":role/"
              + JobIdentity.ROLE
              + "\",\"accountId\":\""
              + JobIdentity.ACCOUNT
              + "\",\"userName\":\""
              + JobIdentity.ROLE
              + "\"},\"attributes\":{\"creationDate\":\"2026-06-04T03:20:11Z\",\"mfaAuthenticated\":"
              + "\"false\"}}},\"eventTime\":\"");
  private static final byte[] ADDRESS =
      LineBuffer.bytes("\",\"awsRegion\":\"" + JobIdentity.REGION + "\",\"sourceIPAddress\":\"");
  private static final byte[] AGENT =
      LineBuffer.bytes("\",\"userAgent\":\"[" + JobIdentity.userAgent() + "]\"");
  private static final byte[] ERROR =
      LineBuffer.bytes(
          ",\"errorCode\":\"SlowDown\",\"errorMessage\":\"Please reduce your request rate.\"");
  private static final byte[] PARAMETERS =
      LineBuffer.bytes(
          ",\"requestParameters\":{\"bucketName\":\""
              + JobIdentity.BUCKET
              + "\",\"Host\":\""
              + JobIdentity.HOST
              + "\"");
  private static final byte[] ADDITIONAL =
      LineBuffer.bytes(
          "},\"responseElements\":null,\"additionalEventData\":{\"SignatureVersion\":\"SigV4\","
              + "\"CipherSuite\":\"TLS_AES_128_GCM_SHA256\",\"bytesTransferredIn\":");
  private static final byte[] ARN =
      LineBuffer.bytes("\"ARN\":\"arn:aws:s3:::" + JobIdentity.BUCKET);
  private static final byte[] END =
      LineBuffer.bytes(
          "\"}],\"eventType\":\"AwsApiCall\",\"managementEvent\":false,\"recipientAccountId\":\""
              + JobIdentity.ACCOUNT
              + "\",\"eventCategory\":\"Data\",\"tlsDetails\":{\"tlsVersion\":\"TLSv1.3\","
              + "\"cipherSuite\":\"TLS_AES_128_GCM_SHA256\",\"clientProvidedHostHeader\":\""
              + JobIdentity.HOST
              + "\"}}");

  private final Plan plan;
  private final Words words;
  private final long seed;
  private final Map<Call, byte[]> names = new EnumMap<>(Call.class);
  private long second = -1;
  private byte[] time = {};

  /** Creates the events of a plan. */
  public TrailEvents(Plan plan, Words words) {
    this.plan = plan;
    this.words = words;
    this.seed = plan.options().seed();
    for (Call call : Call.values()) {
      names.put(
          call,
          LineBuffer.bytes(
              "\",\"eventSource\":\"s3.amazonaws.com\",\"eventName\":\"" + call.trailName()));
    }
  }

  /** Writes one element of the array of records. */
  public void event(LineBuffer line, CallBatch batch, int index) {
    Call call = batch.call(index);
    line.put(START).put(time(batch.millis(index))).put(names.get(call)).put(ADDRESS);
    words.address(line, batch, index);
    line.put(AGENT);
    if (batch.isThrottled(index)) {
      line.put(ERROR);
    }
    parameters(line, batch, index);
    additional(line, batch, index);
    line.put(",\"requestID\":\"");
    words.requestId(line, batch.id(index));
    line.put("\",\"eventID\":\"");
    line.uuid(
        Mix.of(seed, Purpose.EVENT_ID, batch.id(index)),
        Mix.of(seed, Purpose.EVENT_ID, ~batch.id(index)));
    line.put("\",\"readOnly\":").put(call.isWrite() ? "false" : "true");
    resources(line, batch, index);
  }

  private byte[] time(long millis) {
    long now = Math.floorDiv(START_MILLIS + millis, 1_000L);
    if (now != second) {
      second = now;
      time = LineBuffer.bytes(Instant.ofEpochSecond(now).toString());
    }
    return time;
  }

  private void parameters(LineBuffer line, CallBatch batch, int index) {
    line.put(PARAMETERS);
    Call call = batch.call(index);
    if (words.hasKey(call)) {
      line.put(",\"key\":\"");
      words.key(line, batch, index, false);
      line.put('"');
    }
    if (call == Call.CREATE) {
      line.put(",\"uploads\":\"\"");
    } else if (call == Call.LIST) {
      line.put(",\"list-type\":\"2\",\"prefix\":\"").put(JobIdentity.INPUT).put("/\"");
    } else if (call.isWrite()) {
      line.put(",\"uploadId\":\"");
      words.uploadId(line, batch.subject(index));
      line.put('"');
    }
    if (call == Call.PART) {
      line.put(",\"partNumber\":\"").number(batch.part(index)).put('"');
    }
  }

  private void additional(LineBuffer line, CallBatch batch, int index) {
    Call call = batch.call(index);
    boolean isServed = !batch.isThrottled(index);
    long file = batch.subject(index);
    long in =
        isServed && call == Call.PART
            ? plan.partBytes(file, batch.part(index), plan.succeeded(Call.PART, file))
            : 0;
    long out = !isServed ? 349 : call == Call.GET ? words.rangeBytesOf(file) : 0;
    line.put(ADDITIONAL).number(in);
    line.put(",\"AuthenticationMethod\":\"AuthHeader\",\"x-amz-id-2\":\"");
    words.hostId(line, batch.id(index));
    line.put("\",\"bytesTransferredOut\":").number(out).put('}');
  }

  private void resources(LineBuffer line, CallBatch batch, int index) {
    line.put(",\"resources\":[");
    if (words.hasKey(batch.call(index))) {
      line.put("{\"type\":\"AWS::S3::Object\",").put(ARN).put('/');
      words.key(line, batch, index, false);
      line.put("\"},");
    }
    line.put("{\"accountId\":\"").put(JobIdentity.ACCOUNT).put("\",\"type\":\"AWS::S3::Bucket\",");
    line.put(ARN).put(END);
  }
}
