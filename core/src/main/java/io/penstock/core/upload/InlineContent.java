/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.upload;

/**
 * The content of a small file that travels in its task's message.
 *
 * @param md5 MD5 of the bytes in lower-case hexadecimal
 */
@SuppressWarnings("ArrayRecordComponent") // It is compared nowhere.
public record InlineContent(byte[] bytes, String md5) {}
