import pytest

from bank import Account, InsufficientFunds, richest, transfer


def test_deposit_and_withdraw():
    account = Account("Ada", 10)
    account.deposit(5)
    account.withdraw(15)
    assert account.balance == 0
    assert account.history == [("deposit", 5), ("withdraw", 15)]


@pytest.mark.parametrize("amount", [0, -1])
def test_refuses(amount):
    account = Account("Ada", 10)
    with pytest.raises(ValueError):
        account.deposit(amount)
    with pytest.raises(ValueError):
        account.withdraw(amount)


def test_limit():
    account = Account("Ada", 10, limit=5)
    account.withdraw(15)
    with pytest.raises(InsufficientFunds):
        account.withdraw(1)


def test_interest():
    account = Account("Ada", 100)
    account.add_interest(10, years=2)
    assert account.balance == 121


def test_transfer():
    assert transfer(Account("Ada", 10), Account("Bob"), 4, fee=1) == (5, 4)


def test_richest():
    assert richest([Account("Ada", 1), Account("Bob", 3)]) == "Bob"
    assert richest([Account("Ada", 1)], least=2) is None
