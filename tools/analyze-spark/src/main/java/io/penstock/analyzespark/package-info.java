/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs the analyses of logs on Spark, from 3.5 to 4.3, with any Scala version that these releases
 * use.
 */
package io.penstock.analyzespark;
