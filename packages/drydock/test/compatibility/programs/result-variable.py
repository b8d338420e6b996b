result = {"a": 1}
print("printed")
