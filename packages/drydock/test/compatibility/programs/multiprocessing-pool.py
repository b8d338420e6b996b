# file
import multiprocessing


def square(x):
    return x * x


if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        print(pool.map(square, range(8)))
    print(multiprocessing.current_process().name)
