/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Examines a machine, an endpoint, a bucket and the settings of a Spark, and says what is wrong.
 */
package io.penstock.doctor;
