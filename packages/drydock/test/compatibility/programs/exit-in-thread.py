import sys
import threading

t = threading.Thread(target=lambda: sys.exit(5))
t.start()
t.join()
print("not ended")
