print(hash("a") == hash("a"), hash(1), hash(1.5), hash((1, 2)), hash(None) == hash(None), {1, 2, 3})
