#!/usr/bin/python3
"""Makes the corpus again: make.py [-s SCRATCH] [FAMILY …]. See ../README.md."""

import argparse
import os
import tempfile
import sys

sys.dont_write_bytecode = True

from corpus import Corpus, HERE  # noqa: E402
import attribution  # noqa: E402
import binary  # noqa: E402
import containers  # noqa: E402
import databases  # noqa: E402
import languages  # noqa: E402
import scripting  # noqa: E402
import spreadsheets  # noqa: E402


def main():
    families = {f.__name__: f for module in (databases, scripting, languages, spreadsheets, attribution, binary, containers) for f in module.FAMILIES}
    parser = argparse.ArgumentParser(description="Make the corpus of real writers again.")
    parser.add_argument("-s", "--scratch", help="a folder for databases and npm packages, kept between runs")
    parser.add_argument("family", nargs="*", help="families to make; default all: " + ", ".join(families))
    args = parser.parse_args()
    scratch = os.path.abspath(args.scratch or tempfile.mkdtemp(prefix="writers"))
    os.makedirs(scratch, exist_ok=True)
    corpus = Corpus(os.path.dirname(HERE), scratch)
    for name in args.family or families:
        families[name](corpus)
        print(f"{name}: {len(corpus.lines)} lines so far", file=sys.stderr)
    print(f"{corpus.save(args.family)} lines in the manifest", file=sys.stderr)


main()
