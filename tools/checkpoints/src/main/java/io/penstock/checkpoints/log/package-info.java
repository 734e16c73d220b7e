/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The logs of a checkpoint: which batches they have, and what one file says. */
package io.penstock.checkpoints.log;
