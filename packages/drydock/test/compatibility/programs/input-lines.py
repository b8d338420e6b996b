# stdin: 3\n1 2\n3 4\n5 6\n
import sys

n = int(input())
for _ in range(n):
    a, b = map(int, input("? ").split())
    print(a + b)
print(repr(sys.stdin.read()))
