/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.http;

import java.net.InetAddress;

/**
 * A request whose head has been received.
 *
 * @param target path and query as sent, not decoded
 * @param tlsVersion such as {@code TLSv1.3}; empty on a plain connection
 */
public record HttpRequest(
    String method,
    String target,
    Headers headers,
    RequestBody body,
    InetAddress peer,
    String tlsVersion,
    ConnectedClient caller) {}
