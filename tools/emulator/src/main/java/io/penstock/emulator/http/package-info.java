/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A small HTTP/1.1 server on blocking sockets. It is our own because weather needs operations that
 * HTTP libraries hide: resetting a connection, ending a response halfway, slowing its bytes, and
 * responding before the body is read.
 */
package io.penstock.emulator.http;
