/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The facts about a checkpoint, collected from its files. */
package io.penstock.checkpoints.facts;
