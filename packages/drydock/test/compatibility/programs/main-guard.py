def main():
    print("main", __name__, __doc__, __spec__, __builtins__.__name__, "__file__" in globals())


if __name__ == "__main__":
    main()
