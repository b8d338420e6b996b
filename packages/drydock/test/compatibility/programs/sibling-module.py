# workspace
# file
import helper
from nested import deeper

print(helper.greet("you"), helper.__name__, deeper.VALUE, deeper.__package__)
