# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""The parts of bench/run soak."""
