import cmath
import math
import statistics

print(math.factorial(50), math.isqrt(10**30), math.comb(10, 3), math.nan != math.nan, float("1e400"), 2**-1, int("0x1f", 16), complex(1, -0.0))
print(statistics.median([1, 3, 2]), cmath.sqrt(-1), divmod(-7, 2), 5 .bit_length(), f"{3.14159:.3e} {255:#x} {0.5:%}", 10**20 // 3)
print(int("9" * 5000))
