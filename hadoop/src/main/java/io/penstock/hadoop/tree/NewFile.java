/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop.tree;

import io.penstock.core.store.Condition;
import io.penstock.core.store.meta.UserMetadata;

/**
 * A file that is to be written.
 *
 * @param condition for what is at its path now
 * @param user what the store keeps with it
 * @param isDemanded whether the file must not be written without that
 */
public record NewFile(Condition condition, UserMetadata user, boolean isDemanded) {}
