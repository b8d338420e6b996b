from decimal import Decimal

print(Decimal(1) / Decimal(0))
