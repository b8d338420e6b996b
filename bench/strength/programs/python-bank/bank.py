class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, balance=0, limit=0):
        self.owner = owner
        self.balance = balance
        self.limit = limit
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("an amount is above zero")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount <= 0:
            raise ValueError("an amount is above zero")
        if self.balance - amount < -self.limit:
            raise InsufficientFunds(f"{self.owner} has {self.balance}")
        self.balance -= amount
        self.history.append(("withdraw", amount))

    def add_interest(self, percent, years=1):
        for _ in range(years):
            self.balance += round(self.balance * percent / 100, 2)


def transfer(source, target, amount, fee=0):
    source.withdraw(amount + fee)
    target.deposit(amount)
    return source.balance, target.balance


def richest(accounts, least=0):
    found = [account for account in accounts if account.balance >= least]
    if not found:
        return None
    return max(found, key=lambda account: account.balance).owner
