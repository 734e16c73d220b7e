/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.hadoop;

import io.penstock.core.store.Condition;
import io.penstock.core.store.UserMetadata;

/**
 * A file that is to be written.
 *
 * @param condition for what is at its path now
 * @param user what the store keeps with it
 */
record NewFile(Condition condition, UserMetadata user) {}
