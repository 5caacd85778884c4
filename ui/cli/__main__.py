"""`python -m ui.cli`: the same as `playground`."""

import sys

from ui.cli.main import main

sys.exit(main())
