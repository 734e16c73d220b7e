# Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0
"""What became of a case, and whether it may stand."""

import dataclasses


@dataclasses.dataclass
class Outcome:
    """One row of the table. Times are told and never judged, for a machine may be busy."""

    case: str
    what: str
    # Jobs and queries that must have lived and died, each with its reason.
    died: list = dataclasses.field(default_factory=list)
    # Those that failed because the store lost an upload when it was killed, as its disk showed.
    lost: list = dataclasses.field(default_factory=list)
    # Anything else that must not be.
    wrong: list = dataclasses.field(default_factory=list)
    # Whether what is read is what a calm run would read; None when nothing was compared.
    equal: bool = None
    # Uploads left behind: all, and those that hold data.
    pending: tuple = None
    seconds: float = None
    calm: float = None
    note: str = ""
    details: dict = dataclasses.field(default_factory=dict)

    @property
    def held(self):
        return not (self.died or self.wrong or self.equal is False or any(self.pending or ()))

    def compare(self, what, found, expected):
        """Counts as unequal from the first difference on."""
        if found != expected:
            self.wrong.append("%s: found %s, expected %s" % (what, found, expected))
        self.equal = (self.equal is not False) and found == expected

    def as_json(self):
        return {**dataclasses.asdict(self), "held": self.held}

    def row(self):
        times = "-" if self.seconds is None else "%.1f" % self.seconds
        ratio = "%.1fx" % (self.seconds / self.calm) if self.seconds and self.calm else "-"
        pending = "-" if self.pending is None else "%d (%d)" % tuple(self.pending)
        equal = "-" if self.equal is None else "yes" if self.equal else "NO"
        died = "%d" % len(self.died) + (" +%d" % len(self.lost) if self.lost else "")
        return [self.what[:34], died, equal, pending, times, ratio,
                "held" if self.held else "FAILED"]

    def problems(self):
        """What it failed by, a line each."""
        found = ["died: %s" % text for text in self.died] + self.wrong
        found += ["lost by the store: %s" % text for text in self.lost]
        if any(self.pending or ()):
            found.append("%d uploads are pending, %d of them with data" % tuple(self.pending))
        return found


HEAD = ["", "died", "equal", "pending", "s", "calm", ""]
