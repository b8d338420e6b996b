raise ExceptionGroup("several", [ValueError("a"), ExceptionGroup("inner", [TypeError("b")])])
