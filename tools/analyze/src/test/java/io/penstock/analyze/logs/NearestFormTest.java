/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.logs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.analyze.input.Head;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are not read are named, with the way to those that are. */
class NearestFormTest {
  private static Head head(String text) {
    return Head.of(text.getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"Records\":[{\"eventSource\":\"aws:s3\"}]} | event notifications",
        "{\"QueryResultRows\":[[]]} | eventJson",
        "\"eventversion\",\"useridentity\",\"eventtime\" | Athena",
        "@timestamp,eventName,errorCode | @message",
        "{\"events\":[{\"message\":\"x\",\"ingestionTime\":1}]} | jq",
        "2023-10-02T03:11:05.009 [200 OK] s3.PutObjectPart minio-1:9000/b/k | --json",
        "2024-06-12T13:10:07.013+0000 7fc4  1 beast: 0x7fc4: 10.0.0.5 | ops log",
        "bucket_name,requestdatetime,operation,httpstatus | without the column key",
        "hello | no log known here",
      })
  void eachFormIsNamed(String text, String words) {
    assertThat(NearestForm.of(head(text))).contains(words);
    assertThat(NearestForm.archive(head(text))).isEmpty();
  }

  @Test
  void archivesAreToBeUnpacked() {
    assertThat(NearestForm.archive(head("PK\u0003\u0004{\"Event\":\"SparkListenerLogStart\"}")))
        .contains("a zip archive: unpack it first");
    assertThat(NearestForm.archive(head("a".repeat(257) + "ustar\u000000")))
        .contains("a tar archive: unpack it first");
    assertThat(NearestForm.of(head("\u00ff\u00feh\u0000i\u0000"))).contains("UTF-16");
  }
}
