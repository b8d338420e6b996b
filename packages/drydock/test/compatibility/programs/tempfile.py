import os
import tempfile

with tempfile.TemporaryDirectory() as directory:
    path = os.path.join(directory, "a.txt")
    with open(path, "w") as file:
        file.write("x" * 10)
    print(os.path.getsize(path), os.listdir(directory))
print(os.path.exists(directory))
with tempfile.NamedTemporaryFile("w+") as file:
    file.write("abc")
    file.seek(0)
    print(file.read(), os.path.exists(file.name))
with tempfile.SpooledTemporaryFile(10) as file:
    file.write(b"0123456789abc")
    print(file.tell())
