/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read.replaced;

import io.penstock.core.store.ObjectMeta;

/**
 * A file that was deleted.
 *
 * @param meta what a listing told of it before
 * @param versionId of its content
 */
public record ReplacedFile(ObjectMeta meta, String versionId) {}
