/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.sdk;

import software.amazon.awssdk.http.ExecutableHttpRequest;

/**
 * The answer to an attempt.
 *
 * @param call that brought it; null if it was found out by other requests
 */
record Sent(ExecutableHttpRequest call, HttpAnswer answer) {}
