from calculator import add, mean


def test_add():
    assert add(2, 3) == 5


def test_add_negative():
    assert add(2, -3) == -1


def test_mean():
    assert mean([1, 2, 6]) == 3
