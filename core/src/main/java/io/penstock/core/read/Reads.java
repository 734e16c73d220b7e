/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.core.read;

/** The settings for reading a bucket, and the budget that all reads of the process share. */
public record Reads(ReadConfig config, ReadBudget budget) {}
