# workspace
import shapes

print(shapes.greet("me"))
