import threading
import time


def late():
    time.sleep(0.05)
    print("late")


threading.Thread(target=late).start()
print("main done")
