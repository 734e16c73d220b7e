/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** Writes the requests as CloudTrail data events. */
package io.penstock.loggen.cloudtrail;
