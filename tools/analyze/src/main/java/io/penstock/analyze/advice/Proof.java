/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.analyze.advice;

import io.penstock.analyze.analysis.Analysis;
import io.penstock.tables.Table;

/** A query of a rule, with its result. */
public record Proof(Analysis query, Table rows) {}
