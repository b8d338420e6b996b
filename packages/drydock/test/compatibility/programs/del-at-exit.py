class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


kept = Loud("kept")
Loud("dropped")
cycle = Loud("cycle")
cycle.me = cycle
del cycle
print("end of main")
