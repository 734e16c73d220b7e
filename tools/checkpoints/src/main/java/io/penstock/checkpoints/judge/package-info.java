/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The judges that turn facts into findings, one for each part of a checkpoint. */
package io.penstock.checkpoints.judge;
