import gc
import resource
import sys

print(gc.isenabled(), gc.get_threshold(), resource.getrlimit(resource.RLIMIT_CORE)[0] >= 0, sys.getswitchinterval(), sys.maxsize, sys.byteorder)
print(gc.get_stats()[0].keys(), sys.gettrace(), sys.getprofile(), sys.dont_write_bytecode in (True, False))
