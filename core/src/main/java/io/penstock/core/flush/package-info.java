/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Objects that readers see while they are written. */
package io.penstock.core.flush;
