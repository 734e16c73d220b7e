/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The checkpoint manager for Spark 3.5 and 4.0. Spark 4.1 has moved the type that it extends. */
package io.penstock.spark35;
