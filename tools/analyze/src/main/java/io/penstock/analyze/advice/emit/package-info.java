/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Writes advice as files that Spark, Hadoop and Kubernetes read. */
package io.penstock.analyze.advice.emit;
