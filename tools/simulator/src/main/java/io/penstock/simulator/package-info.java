/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Simulates clusters and slow requests in virtual time, using the production deciders of the
 * storage layer.
 */
package io.penstock.simulator;
