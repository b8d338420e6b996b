def gcd(a, b):
    """The greatest number that divides both."""
    while b:
        a, b = a % b, b
    return a
