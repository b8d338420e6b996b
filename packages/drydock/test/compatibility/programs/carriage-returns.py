print("a\rb"); print("""one
two""".splitlines())
