# workspace
import helper

print(helper.greet("me"))
