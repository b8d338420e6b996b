if 1:
	print("tab")
print('vertical\vfeed\f')
