/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Plans the repair of a checkpoint, and carries it out. */
package io.penstock.checkpoints.repair;
