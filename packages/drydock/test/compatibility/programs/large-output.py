for i in range(40000):
    print(i, "x" * 20)
