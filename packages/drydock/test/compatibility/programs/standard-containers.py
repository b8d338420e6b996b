from collections import Counter, OrderedDict, defaultdict, deque
from heapq import heappop, heappush
from itertools import accumulate, groupby, permutations

heap = []
for x in [5, 1, 4]:
    heappush(heap, x)
print(heappop(heap), Counter("abracadabra").most_common(2), deque([1, 2, 3], maxlen=2), OrderedDict(a=1))
groups = defaultdict(list)
for key, values in groupby(sorted(["bb", "a", "cc", "d"], key=len), key=len):
    groups[key].extend(values)
print(dict(groups), list(accumulate([1, 2, 3])), len(list(permutations("abcd"))))
