/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Examines a machine, an endpoint, a bucket and the settings of a Spark installation, and reports
 * problems.
 */
package io.penstock.doctor;
