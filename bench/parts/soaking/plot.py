# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What a process held over time, as one SVG: a chart for each of heap, threads, descriptors,
batches."""

import html

WIDTH, HEIGHT = 900, 150
LEFT, RIGHT, TOP, BOTTOM = 70, 15, 28, 22
# title, what is drawn, unit
CHARTS = (
    ("Heap after a collection", (("heap", "#1f77b4", 1e6),), "MB"),
    ("Threads: all, ours, tasks",
     (("threads", "#1f77b4", 1), ("ours", "#d62728", 1), ("tasks", "#7f7f7f", 1)), ""),
    ("Open file descriptors, spool files", (("fds", "#1f77b4", 1), ("spool", "#d62728", 1)), ""),
    ("Batches, batch jobs", (("batches", "#1f77b4", 1), ("jobs", "#2ca02c", 1)), ""),
    ("Pending uploads, failures", (("pending", "#1f77b4", 1), ("failures", "#d62728", 1)), ""),
)


def svg(samples, title):
    end = max(samples[-1]["t"], 1)
    height = 40 + len(CHARTS) * (HEIGHT + 10)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif"'
             ' font-size="12">' % (WIDTH, height),
             '<rect width="100%" height="100%" fill="white"/>',
             '<text x="%d" y="24" font-size="15">%s</text>' % (LEFT, html.escape(title))]
    for i, chart in enumerate(CHARTS):
        parts += one(samples, end, 40 + i * (HEIGHT + 10), *chart)
    return "\n".join([*parts, "</svg>", ""])


def one(samples, end, top, title, series, unit):
    most = max((s[name] / scale for name, _, scale in series for s in samples), default=0) or 1
    bottom = top + HEIGHT - BOTTOM
    span = WIDTH - LEFT - RIGHT

    def y(value):
        return bottom - value / most * (HEIGHT - TOP - BOTTOM)

    parts = ['<text x="%d" y="%d" font-weight="bold">%s</text>' % (LEFT, top + 16, title)]
    for value in (0, most / 2, most):
        parts.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>' % (
            LEFT, WIDTH - RIGHT, y(value), y(value)))
        parts.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (
            LEFT - 6, y(value) + 4, ("%.0f %s" % (value, unit)).strip()))
    for part in range(6):
        parts.append('<text x="%.1f" y="%d" text-anchor="middle">%.0f min</text>' % (
            LEFT + span * part / 5, bottom + 16, end * part / 5 / 60))
    for name, colour, scale in series:
        points = " ".join("%.1f,%.1f" % (LEFT + span * s["t"] / end, y(s[name] / scale))
                          for s in samples)
        parts.append('<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>' % (
            colour, points))
    return parts
