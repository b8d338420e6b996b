namespace = {}
exec("def g(): return 5\nx = [i for i in range(3)]", namespace)
print(namespace["g"](), namespace["x"], eval("1 + a", {"a": 2}), eval(compile("3 * 3", "<inline>", "eval")))
exec("raise ValueError('inside exec')")
