/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Spark's side: the plugin, the commit protocol, the checkpoint manager, and the rates of a
 * cluster.
 */
package io.penstock.spark;
