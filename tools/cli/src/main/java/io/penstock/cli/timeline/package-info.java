/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The command {@code penstock timeline}. */
package io.penstock.cli.timeline;
