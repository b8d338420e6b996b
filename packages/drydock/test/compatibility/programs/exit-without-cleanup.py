import os

print("flushed", flush=True)
print("lost", end="")
os._exit(9)
