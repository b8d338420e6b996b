def primes(limit):
    """All primes up to `limit`, by sieve."""
    candidates = [True] * (limit + 1)
    found = []
    for number in range(2, limit + 1):
        if candidates[number]:
            found.append(number)
            for multiple in range(number * number, limit, number):
                candidates[multiple] = False
    return found
