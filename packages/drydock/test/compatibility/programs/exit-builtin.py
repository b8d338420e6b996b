print("a")
exit(3)
print("never")
