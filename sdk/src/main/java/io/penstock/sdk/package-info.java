/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The engine under the S3 clients of others. Compiled against the plain AWS SDK, never relocated.
 */
package io.penstock.sdk;
