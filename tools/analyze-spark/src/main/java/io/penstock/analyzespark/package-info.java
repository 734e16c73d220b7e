/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The analyses of logs on Spark. Runs on Spark 3.5 to 4.3, whichever Scala they have. */
package io.penstock.analyzespark;
