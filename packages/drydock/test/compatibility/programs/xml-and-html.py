import html
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

root = tree.fromstring("<a><b x='1'>t</b><b/></a>")
print([b.attrib for b in root.iter("b")], html.escape("<&>"), html.unescape("&eacute;"))


class P(HTMLParser):
    def handle_starttag(self, tag, attrs):
        print(tag, attrs)


P().feed("<p class=x><br></p>")
tree.fromstring("<a>")
