/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Numbers that are drawn in one colour.
 *
 * @param role names the colour in the style sheet: requests, throttled, s1 to s8, or rest for what
 *     stands back
 */
public record ChartSeries(String name, String role, List<Double> values) {
  static final String REST = "rest";

  private static final Map<String, String> OF_APIS =
      Map.ofEntries(
          Map.entry("GetObject", "s1"),
          Map.entry("PutObject", "s2"),
          Map.entry("UploadPart", "s3"),
          Map.entry("CompleteMultipartUpload", "s4"),
          Map.entry("HeadObject", "s5"),
          Map.entry("DeleteObjects", "s6"),
          Map.entry("DeleteObject", "s6"),
          Map.entry("CreateMultipartUpload", "s7"),
          Map.entry("ListObjects", "s8"));

  /** Returns the colour of an operation of S3: the same in all plots. The rare ones share one. */
  static String ofApi(String api) {
    return OF_APIS.getOrDefault(api, REST);
  }

  /** Returns the same series with other values, made of these. */
  ChartSeries with(UnaryOperator<List<Double>> change) {
    return new ChartSeries(name, role, change.apply(values));
  }

  double max() {
    return values.stream().filter(Double::isFinite).mapToDouble(value -> value).max().orElse(0);
  }

  void write(ChartJson json) throws java.io.IOException {
    json.text("name", name);
    json.text("role", role);
    json.numbers("values", values);
  }
}
