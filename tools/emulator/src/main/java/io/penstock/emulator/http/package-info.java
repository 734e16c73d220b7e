/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A small HTTP/1.1 server on blocking sockets. Our own, because weather needs what a library hides:
 * resetting a connection, ending an answer halfway, slowing its bytes, answering before the body is
 * read.
 */
package io.penstock.emulator.http;
