/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyzespark;

import io.penstock.analyze.input.ParseStatistics;
import java.io.Serializable;

/**
 * The facts about a part that were found besides its requests.
 *
 * @param learned the facts that the part's format has learned; null if there are none
 */
record PartResult(int file, ParseStatistics statistics, Serializable learned)
    implements Serializable {}
