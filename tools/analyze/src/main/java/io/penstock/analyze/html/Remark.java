/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import java.util.List;

/**
 * A finding as the page shows it.
 *
 * @param label the names of the rule
 * @param severity one word
 * @param text what it means
 * @param evidence the numbers behind it, a sentence each
 * @param advice what to do; may be empty
 * @param settings what to change
 */
public record Remark(
    Label label,
    String severity,
    Tone tone,
    String text,
    List<String> evidence,
    String advice,
    List<Setting> settings) {

  public Remark {
    evidence = List.copyOf(evidence);
    settings = List.copyOf(settings);
  }

  /** A setting as it is, and as it should be. */
  public record Setting(String name, String now, String recommended) {}
}
