/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.insight.advice;

import io.penstock.insight.analysis.Analysis;
import io.penstock.insight.table.Table;

/** A query that a rule asked, and its answer. */
public record Proof(Analysis query, Table rows) {}
