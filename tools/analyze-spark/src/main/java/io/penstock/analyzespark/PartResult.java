/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.input.ParseStatistics;
import java.io.Serializable;

/**
 * The facts that reading a part brought beside its requests.
 *
 * @param learned by its format; null when nothing
 */
record PartResult(int file, ParseStatistics statistics, Serializable learned)
    implements Serializable {}
