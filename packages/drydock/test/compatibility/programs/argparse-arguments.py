# args: --count 3 --name=x y z
import argparse
import sys

parser = argparse.ArgumentParser(prog="tool")
parser.add_argument("--count", type=int, default=1)
parser.add_argument("--name")
parser.add_argument("rest", nargs="*")
print(parser.parse_args(), sys.argv[1:])
