# args: --help
import argparse

parser = argparse.ArgumentParser(prog="tool", description="Does things")
parser.add_argument("--level", choices=["a", "b"], help="how much")
parser.parse_args()
