# file
import warnings

warnings.warn("be careful", UserWarning)
warnings.warn("old", DeprecationWarning)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("kept")
print([str(w.message) for w in caught], [f[:1] + (f[2].__name__,) for f in warnings.filters])
