# workspace
# file
import shapes
from nested import deeper

print(shapes.greet("you"), shapes.__name__, deeper.VALUE, deeper.__package__)
