/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Examines the checkpoint of a streaming query, and repairs it. */
package io.penstock.checkpoints;
