# workspace
# file
import shapes

shapes.fail()
