VALUE = "deep"
