def add(a, b):
    return a - b


assert add(1, 2) == 3, f"got {add(1, 2)}"
