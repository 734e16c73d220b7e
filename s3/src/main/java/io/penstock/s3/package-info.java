/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/** The port to S3 on the AWS SDK for Java: the only place that knows the SDK. */
package io.penstock.s3;
