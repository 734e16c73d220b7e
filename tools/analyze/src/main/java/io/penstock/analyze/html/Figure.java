/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

/**
 * One of the few numbers at the head of a report.
 *
 * @param label what it is, such as "Throttled writes"
 * @param value as people read it
 * @param note what it is measured against; may be empty
 */
public record Figure(String label, String value, String note, Tone tone) {}
