/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Looks at the store's answer to a request of the bucket that nobody has signed. A refusal tells as
 * much as a welcome.
 *
 * @param date of the store's clock, to the second
 * @param sent by this machine's clock
 * @param took until the answer, connecting included
 * @param region that the store says the bucket is in
 * @param tls its version; empty for plain http
 */
public record Greeting(
    int status,
    Optional<Instant> date,
    Instant sent,
    Duration took,
    Optional<String> region,
    Optional<String> server,
    Optional<String> tls) {}
