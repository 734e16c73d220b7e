/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The bucket or the directory that holds a checkpoint, and how its files are read. */
package io.penstock.checkpoints.place;
