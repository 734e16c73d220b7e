/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import io.penstock.tables.Label;
import java.util.List;

/**
 * A finding in the form that the page shows.
 *
 * @param label the names of the rule
 * @param severity one word
 * @param text the meaning of the finding
 * @param evidence the numbers behind the finding, one sentence each
 * @param advice the recommended action; may be empty
 * @param settings the settings to change
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

  /** A setting with its current and its recommended value. */
  public record Setting(String name, String now, String recommended) {}
}
