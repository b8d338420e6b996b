# args: --nope
import argparse

argparse.ArgumentParser(prog="tool").parse_args()
