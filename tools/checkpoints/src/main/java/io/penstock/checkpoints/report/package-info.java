/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The findings and the numbers about a checkpoint, and their JSON. */
package io.penstock.checkpoints.report;
