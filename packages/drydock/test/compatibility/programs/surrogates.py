print("\ud800")
