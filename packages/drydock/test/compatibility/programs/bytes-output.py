import sys

print("text first")
sys.stdout.flush()
sys.stdout.buffer.write(b"raw \xc3\xa9\n")
print("text last")
