open("not/there.txt")
