/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * Keeps a streaming checkpoint consistent when more than one driver writes it. Each run of a query
 * claims the checkpoint once and gets an epoch that is higher than all earlier ones. Every object
 * names its writer. A run stops when it finds an object of a higher epoch.
 */
package io.penstock.core.checkpoint;
