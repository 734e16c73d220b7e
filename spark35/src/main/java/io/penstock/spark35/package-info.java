/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The checkpoint manager as Spark 3.5 and 4.0 look for it; Spark 4.1 has moved the type it extends.
 */
package io.penstock.spark35;
