/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

import java.util.List;

/**
 * The content of a report, independent of its format.
 *
 * @param title the subject of the report; like all other texts here, it may come from a log
 * @param subtitle the files and the time window, one line each
 * @param findings the findings, most useful first
 */
public record Page(
    String title,
    List<String> subtitle,
    List<Figure> figures,
    List<Remark> findings,
    List<PageSection> sections) {

  public Page {
    subtitle = List.copyOf(subtitle);
    figures = List.copyOf(figures);
    findings = List.copyOf(findings);
    sections = List.copyOf(sections);
  }
}
