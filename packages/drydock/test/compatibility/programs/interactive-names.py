print(copyright is not None, credits is not None, license is not None, exit, quit)
