import multiprocessing as mp


def work(queue, n):
    queue.put((n, mp.current_process().name != "MainProcess"))


queue = mp.Queue()
children = [mp.Process(target=work, args=(queue, i)) for i in range(3)]
for child in children:
    child.start()
print(sorted(queue.get() for _ in children))
for child in children:
    child.join()
print([child.exitcode for child in children])
