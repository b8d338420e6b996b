import random

random.seed(42)
print([random.randint(1, 100) for _ in range(5)], random.sample(range(10), 3), random.Random("x").random())
