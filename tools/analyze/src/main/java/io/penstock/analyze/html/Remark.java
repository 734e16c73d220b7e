/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.List;

/**
 * A finding as the page shows it.
 *
 * @param id of the rule, such as R5; may be empty
 * @param severity one word
 * @param text what it means
 * @param evidence the numbers behind it, a sentence each
 * @param advice what to do; may be empty
 * @param settings what to change
 */
public record Remark(
    String id,
    String severity,
    Tone tone,
    String title,
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
