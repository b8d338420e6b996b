import pickle


def make():
    def inner():
        pass

    return inner


pickle.dumps(make())
