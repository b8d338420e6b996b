import threading
import time

threading.Thread(target=lambda: time.sleep(30), daemon=True).start()
print("done")
