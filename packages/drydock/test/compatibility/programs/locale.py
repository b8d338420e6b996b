import locale

print(locale.getlocale(), locale.getpreferredencoding(False), f"{1234567.891:,.2f}", locale.format_string("%d", 1234567, grouping=True))
