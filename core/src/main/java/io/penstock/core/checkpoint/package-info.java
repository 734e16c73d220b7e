/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * Keeps a streaming checkpoint whole when more than one driver writes it. Each run of a query
 * claims the checkpoint once and gets an epoch, higher than those before. Every object tells who
 * wrote it. Who finds what a higher epoch has written stops.
 */
package io.penstock.core.checkpoint;
