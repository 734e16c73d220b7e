/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.life;

import io.penstock.core.commit.files.Stores;
import io.penstock.core.pool.Lanes;
import io.penstock.core.time.Time;

/**
 * The means by which a commit is brought to its end, by its own job or by another process.
 *
 * @param stores watched by {@code unanswered}
 * @param unanswered the requests of this process that may still take effect
 */
public record StoreAccess(Stores stores, Lanes pool, Time time, UnansweredWrites unanswered) {}
