/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The S3 tab of Spark's UI and of the History Server, its JSON, and the event that carries its
 * content in the event log.
 */
package io.penstock.spark.ui;
