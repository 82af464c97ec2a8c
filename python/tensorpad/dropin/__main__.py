"""python -m tensorpad.dropin: reads the options and runs the program.
SPDX-License-Identifier: MIT"""

from ._command import main

if __name__ == "__main__":
    main()
