/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The interface to S3, with its values and failures. Inside Penstock it imports only the
 * configuration, the time and the thread pool.
 */
package io.penstock.core.store;
