/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Provides random numbers from outside. No other package does so. */
package io.penstock.core.chance;
