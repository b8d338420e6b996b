import sys

sys.exit("something went wrong")
