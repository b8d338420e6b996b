# file
import multiprocessing


def work(x):
    print("child", x, __name__, flush=True)


if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=work, args=(3,))
    child.start()
    child.join()
    print("parent", child.exitcode)
