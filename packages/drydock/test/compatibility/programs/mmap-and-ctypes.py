import ctypes
import mmap
import struct

m = mmap.mmap(-1, 4096)
m[:4] = struct.pack(">I", 1234)
print(struct.unpack(">I", m[:4]), ctypes.c_int32(2**31).value, ctypes.CDLL(None).abs(-3), ctypes.sizeof(ctypes.c_void_p))
