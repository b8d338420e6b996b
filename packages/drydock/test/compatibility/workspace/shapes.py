def greet(who):
    return "hello " + who


def fail():
    raise RuntimeError("in a sibling module")
