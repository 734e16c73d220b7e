/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The integration with Spark: the plugin, the commit protocol, the checkpoint manager, and the
 * request rates of a cluster.
 */
package io.penstock.spark;
