"""``python -m penstock_spark`` is the command ``penstock``."""

import sys

from ._command import main

sys.exit(main())
