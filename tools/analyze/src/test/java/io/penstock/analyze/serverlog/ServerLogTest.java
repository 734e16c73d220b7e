/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.serverlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.Head;
import io.penstock.analyze.input.LineParser.Verdict;
import io.penstock.analyze.input.LogFormat;
import io.penstock.analyze.request.RequestColumn;
import io.penstock.analyze.request.RequestRow;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The logs of other servers of the protocol, in the forms that they print. */
class ServerLogTest {
  private final RequestRow row = new RequestRow();

  private Verdict read(LogFormat format, String line) {
    byte[] bytes = line.getBytes(UTF_8);
    assertThat(format.matches(Head.of(bytes))).isTrue();
    row.clear();
    Verdict verdict = format.lines().orElseThrow().parse(bytes, 0, bytes.length, row);
    if (verdict.what() == Verdict.What.REQUEST) {
      row.finish();
    }
    return verdict;
  }

  private void assertRequest(String api, String bucket, String key, long status, long micros) {
    assertThat(row.text(RequestColumn.API)).isEqualTo(api);
    assertThat(row.text(RequestColumn.BUCKET)).isEqualTo(bucket);
    assertThat(row.text(RequestColumn.KEY)).isEqualTo(key);
    assertThat(row.number(RequestColumn.STATUS)).isEqualTo(status);
    assertThat(row.number(RequestColumn.TOTAL_US)).isEqualTo(micros);
    assertThat(row.number(RequestColumn.TS_START))
        .isEqualTo(Instant.parse("2025-09-01T06:00:00.004Z").toEpochMilli() * 1000);
  }

  @Test
  void minioTracesAreRead() {
    Verdict verdict =
        read(
            new MinioTrace(),
            "{\"api\":\"s3.PutObjectPart\",\"time\":\"2025-09-01T06:00:00.004000324Z\",\"client\":\"10.0.0.1\","
                + "\"callStats\":{\"rx\":100,\"tx\":20,\"duration\":200000,\"timeToFirstByte\":191000},\"path\":\"/lake/t/a"
                + " b\",\"query\":\"partNumber=3&uploadId=U%2B1\",\"statusCode\":503,"
                + "\"response\":{\"body\":\"<Error><Code>SlowDown</Code></Error>\"}}");
    assertThat(verdict).isEqualTo(Verdict.REQUEST);
    assertRequest("UploadPart", "lake", "t/a b", 503, 200);
    assertThat(row.number(RequestColumn.PART_NO)).isEqualTo(3);
    assertThat(row.text(RequestColumn.UPLOAD_ID)).isEqualTo("U+1");
    assertThat(row.number(RequestColumn.THROTTLED)).isEqualTo(1);
    assertThat(row.number(RequestColumn.BYTES_IN)).isEqualTo(100);
  }

  @Test
  void soAreThoseOfMiniosOwnInterface() {
    read(
        new MinioTrace(),
        "{\"type\":4,\"funcname\":\"s3.GetObject\",\"time\":\"2025-09-01T06:00:00.004Z\",\"path\":\"/lake/k\","
            + "\"dur\":5000000,\"http\":{\"request\":{\"client\":\"10.0.0.1\"},\"response\":{\"statuscode\":200},"
            + "\"stats\":{\"inputbytes\":1,\"outputbytes\":9,\"timetofirstbyte\":1000}}}");
    assertRequest("GetObject", "lake", "k", 200, 5000);
    assertThat(row.number(RequestColumn.BYTES_OUT)).isEqualTo(9);
  }

  @Test
  void whatMinioDoesInsideIsNoRequest() {
    Verdict verdict =
        read(
            new MinioTrace(),
            "{\"api\":\"os.Rename\",\"time\":\"2025-09-01T06:00:00.004Z\",\"path\":\"/x\"}\n"
                + "{\"api\":\"s3.GetObject\",\"time\":\"2025-09-01T06:00:00.004Z\"}");
    assertThat(verdict.what()).isEqualTo(Verdict.What.SKIPPED);
  }

  @Test
  void cephsOperationsAreRead() {
    read(
        new CephOpsLog(),
        "{\"bucket\":\"lake\",\"object\":\"t/a\",\"time\":\"2025-09-01T06:00:00.004000Z\",\"user\":\"etl\",\"operation\":\"put_obj\",\"uri\":\"PUT"
            + " /lake/t/a?partNumber=2&uploadId=2~x HTTP/1.1\","
            + "\"http_status\":\"200\",\"error_code\":\"\",\"bytes_sent\":0,\"bytes_received\":77,"
            + "\"object_size\":77,\"total_time\":12,\"trans_id\":\"tx1\"}");
    assertRequest("UploadPart", "lake", "t/a", 200, 12_000);
    assertThat(row.text(RequestColumn.UPLOAD_ID)).isEqualTo("2~x");
    assertThat(row.number(RequestColumn.BYTES_IN)).isEqualTo(77);
    assertThat(row.has(RequestColumn.ERR)).isFalse();
  }
}
