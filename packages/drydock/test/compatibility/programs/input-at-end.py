print("asking")
input("name: ")
