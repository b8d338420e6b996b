from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction

print(getcontext().prec, Decimal(1) / Decimal(3))
print(Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_UP), Fraction(1, 3) + Fraction(1, 6), 0.1 + 0.2, round(2.5), 7 // -2, -7 % 3)
getcontext().prec = 5
print(Decimal(1) / Decimal(7))
