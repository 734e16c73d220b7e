/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.commit.intent;

import io.penstock.core.store.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The hidden objects at the root of the table.
 *
 * @param intents by their names, and so in the order in which the commits began
 * @param marker the table's {@code _SUCCESS}, if there is one
 * @param epoch the object that a commit writes instead, see {@link IntentFiles#putEpoch}, if there
 *     is one
 * @param strays keys of objects whose intent no longer exists, with the times of their last writes
 * @param servedAt the store's time when it made the first page, if it told
 * @param all all objects that were listed
 * @param pages number of requests that the listing took
 */
public record Listing(
    Map<String, Seen> intents,
    Optional<ObjectMeta> marker,
    Optional<ObjectMeta> epoch,
    Map<String, Instant> strays,
    Optional<Instant> servedAt,
    List<ObjectMeta> all,
    int pages) {}
