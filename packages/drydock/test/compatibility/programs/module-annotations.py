x: int = 3
y: "str"
print(__annotations__)
