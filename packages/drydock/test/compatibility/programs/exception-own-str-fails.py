class Bad(Exception):
    def __str__(self):
        raise RuntimeError("no text")


raise Bad()
