import sys

print("naïve 日本語 🚢 \u0301", "\x00\x07", sep="|")
print(sys.stdout.encoding, sys.getdefaultencoding(), sys.getfilesystemencoding(), "ß".upper(), "İ".lower().encode())
sys.stdout.write("no newline at the end")
