/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Simulates whole clusters on a modelled S3 in virtual time, with discrete events, the production
 * deciders and one seed. bench/results/simulator.md lists what is modelled and what is not.
 */
package io.penstock.simulator.cluster;
