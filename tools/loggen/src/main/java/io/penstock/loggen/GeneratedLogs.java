/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.loggen;

import java.time.Instant;
import java.util.Map;

/**
 * A set of logs that was written.
 *
 * @param throttledByApi throttled requests, ordered by API name
 * @param lines number of lines of the access log, including duplicates
 * @param accessFiles zero when there is no access log
 * @param trailFiles zero when there is no CloudTrail log
 * @param eventLogBytes zero when there is no event log
 */
public record GeneratedLogs(
    Instant start,
    Instant end,
    long requests,
    long writes,
    long throttled,
    long files,
    Map<String, Long> requestsByApi,
    Map<String, Long> throttledByApi,
    long lines,
    long oddLines,
    long accessFiles,
    long accessBytes,
    long events,
    long trailFiles,
    long trailBytes,
    long eventLogBytes,
    int tasks) {}
