#!/usr/bin/env python3
"""Writes the hand-made passes: tests/golden/make.py FOLDER [CASE]... -> FOLDER/CASE/."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cases import CASES  # noqa: E402

if __name__ == "__main__":
    if len(sys.argv) < 2 or set(sys.argv[2:]) - set(CASES):
        sys.exit(f"usage: make.py FOLDER [CASE]...\ncases: {' '.join(CASES)}")
    for name in sys.argv[2:] or CASES:
        print(CASES[name]().write(os.path.join(sys.argv[1], name)))
