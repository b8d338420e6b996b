class AppError(Exception):
    pass


try:
    {}["missing"]
except KeyError as error:
    raise AppError("while loading") from error
