import pickle


class Box:
    def __init__(self, value):
        self.value = value


def twice(x):
    return x * 2


copy = pickle.loads(pickle.dumps(Box([1, {2}])))
print(copy.value, type(copy) is Box, pickle.loads(pickle.dumps(twice))(4), Box.__module__, twice.__qualname__)
