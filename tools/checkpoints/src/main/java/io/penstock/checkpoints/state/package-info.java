/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The state stores of a checkpoint: their versions, snapshots and operators. */
package io.penstock.checkpoints.state;
