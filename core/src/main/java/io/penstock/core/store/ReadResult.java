/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.store;

/**
 * The answer to a GET whose bytes went to a {@link ByteSink}.
 *
 * @param meta the metadata of the whole object, from the same answer
 * @param range the bytes that arrived
 */
public record ReadResult(ObjectMeta meta, ByteRange range) {}
