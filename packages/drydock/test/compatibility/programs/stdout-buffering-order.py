import os
import sys

sys.stdout.write("one ")
sys.stdout.flush()
os.write(1, b"two ")
sys.stdout.write("three\n")
sys.stderr.write("unbuffered enough\n")
