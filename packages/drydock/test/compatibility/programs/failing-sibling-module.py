# workspace
# file
import helper

helper.fail()
