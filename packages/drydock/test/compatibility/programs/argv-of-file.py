# file
# args: 1 two
import os
import sys

print(sys.argv, os.path.basename(__file__), os.path.basename(sys.path[0]) != "")
