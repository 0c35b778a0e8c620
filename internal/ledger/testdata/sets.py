"""Prints the numbers that TestAgainstPython expects of so many ids, computed with sets."""

import hashlib
import hmac
import sys


def digest(i):
    return hashlib.md5(b"%08X-8246-4BA4-AE5B-76104861E7DC" % i).digest()


n = int(sys.argv[1])
a = {digest(i) for i in range(n)}
b = {digest(i) for i in range(n // 2, n // 2 + n)}
c = {digest(i) for i in range(0, 2 * n, 3)}
print(len(a), len(b), len(c), len(a & b), len(a & c), len(b & c), len(a | b | c), len(a & b & c), len(a - b - c))

left = a - b
in_c = left & c
left -= c
held = {d for d in left if int.from_bytes(hmac.digest(b"autumn", d.hex().encode(), "sha256")[:8], "big") < 0.1 * 2**64}
left -= held
print(len(a & b), len(in_c), len(held), len(left))
for digests in (left, held):
    total = hashlib.sha256()
    for d in sorted(digests):
        total.update(d)
    print(total.hexdigest())
