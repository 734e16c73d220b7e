/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.doctor.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The store's answer to an unsigned request for the bucket. A refusal contains as much information
 * as a success.
 *
 * @param date the time of the store's clock, in whole seconds
 * @param sent the time of the request by this machine's clock
 * @param took the time until the answer, including the connection
 * @param region the region of the bucket according to the store
 * @param tls the version of TLS; empty for plain http
 */
public record Greeting(
    int status,
    Optional<Instant> date,
    Instant sent,
    Duration took,
    Optional<String> region,
    Optional<String> server,
    Optional<String> tls) {}
