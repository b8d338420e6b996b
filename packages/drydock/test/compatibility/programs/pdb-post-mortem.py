# file
# stdin: p x\nq\n
import pdb

x = 41
pdb.Pdb(nosigint=True, readrc=False).set_trace()
x += 1
print(x)
