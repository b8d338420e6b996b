"a value"
1 + 1
