/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.html;

/**
 * One of the few key numbers at the top of a report.
 *
 * @param label the name of the number, such as "Throttled writes"
 * @param value the number as text
 * @param note the reference for comparison; may be empty
 */
public record Figure(String label, String value, String note, Tone tone) {}
