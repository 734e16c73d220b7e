/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** What a starter of the commands needs: where the jars are, and how Java starts them fast. */
package io.penstock.cli.start;
