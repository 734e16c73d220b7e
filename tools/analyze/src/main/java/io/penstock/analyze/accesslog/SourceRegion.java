/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.accesslog;

import io.penstock.tables.bytes.Scan;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Compares the region that a request came from, which S3 logs of every request from AWS, with the
 * bucket's, which only the host of the request tells.
 */
final class SourceRegion {
  private static final byte[] DOMAIN = ".amazonaws.com".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OLD_FORM = "s3-".getBytes(StandardCharsets.US_ASCII);

  private SourceRegion() {}

  /**
   * Returns true if a host of S3 names another region. A host such as {@code lake.s3.amazonaws.com}
   * names none.
   *
   * @param text contains the host between {@code from} and {@code to}, with other fields around it
   * @param region contains the region between {@code start} and {@code end}
   */
  static boolean isAnother(byte[] text, int from, int to, byte[] region, int start, int end) {
    int domain = Scan.indexOf(text, from, to, DOMAIN);
    if (domain < 0) {
      return false;
    }
    int label = domain;
    while (label > from && text[label - 1] != '.' && text[label - 1] != ' ') {
      label--;
    }
    // The region stands in a label of its own, or in one such as s3-us-west-2.
    boolean isOldForm =
        domain - label > OLD_FORM.length
            && Arrays.equals(text, label, label + OLD_FORM.length, OLD_FORM, 0, OLD_FORM.length);
    int bucket = isOldForm ? label + OLD_FORM.length : label;
    // As in s3-fips-us-gov-west-1, other words may stand before the region.
    int tail = domain - (end - start);
    boolean isSame = tail >= bucket && Arrays.equals(text, tail, domain, region, start, end);
    return Fields.looksLikeRegion(text, bucket, domain) && !isSame;
  }
}
