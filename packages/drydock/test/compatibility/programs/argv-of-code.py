import sys

print(sys.argv, sys.flags.interactive, sys.flags.isolated, sys.path[0] == "")
