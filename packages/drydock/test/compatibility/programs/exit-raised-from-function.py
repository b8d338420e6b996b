def leave():
    try:
        raise SystemExit(4)
    finally:
        print("cleaning up")


leave()
