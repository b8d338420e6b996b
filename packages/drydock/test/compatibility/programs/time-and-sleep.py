import time
import timeit

start = time.perf_counter()
time.sleep(0.02)
print(0.015 < time.perf_counter() - start < 5, time.monotonic() > 0, timeit.timeit("1 + 1", number=10) < 5, time.process_time() >= 0)
