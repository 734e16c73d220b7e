/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.cloudtrail;

import io.penstock.tables.json.FieldTree;
import java.util.List;

/** The fields of an event that are read. Each constant is the field's number in {@link #TREE}. */
final class TrailEvent {
  static final int SOURCE = 0;
  static final int NAME = 1;
  static final int TIME = 2;
  static final int CATEGORY = 3;
  static final int IS_MANAGEMENT = 4;
  static final int REQUEST_ID = 5;
  static final int EVENT_ID = 6;
  static final int ERROR = 7;
  static final int IP = 8;
  static final int AGENT = 9;
  static final int ARN = 10;
  static final int ROLE = 11;
  static final int SERVICE = 12;
  static final int BUCKET = 13;
  static final int KEY = 14;
  static final int PREFIX = 15;
  static final int UPLOAD = 16;
  static final int PART = 17;
  static final int BYTES_IN = 18;
  static final int BYTES_OUT = 19;
  static final int PRINCIPAL = 20;
  static final int TIMESTAMP = 21;

  static final FieldTree TREE =
      new FieldTree(
          List.of(
              "eventSource",
              "eventName",
              "eventTime",
              "eventCategory",
              "managementEvent",
              "requestID",
              "eventID",
              "errorCode",
              "sourceIPAddress",
              "userAgent",
              "userIdentity/arn",
              "userIdentity/sessionContext/sessionIssuer/arn",
              "userIdentity/invokedBy",
              "requestParameters/bucketName",
              "requestParameters/key",
              "requestParameters/prefix",
              "requestParameters/uploadId",
              "requestParameters/partNumber",
              "additionalEventData/bytesTransferredIn",
              "additionalEventData/bytesTransferredOut",
              "userIdentity/principalId",
              // Elasticsearch and its kin name the time so, and some exports leave out eventTime.
              "@timestamp"));

  private TrailEvent() {}
}
