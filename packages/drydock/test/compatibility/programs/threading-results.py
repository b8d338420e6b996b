import threading

lock, total = threading.Lock(), 0


def add(n):
    global total
    for _ in range(1000):
        with lock:
            total += n


threads = [threading.Thread(target=add, args=(i,)) for i in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
print(total, threading.main_thread() is threading.current_thread(), threading.current_thread().name, threading.active_count())
