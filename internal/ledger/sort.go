package ledger

import (
	"slices"

	"usher/hashing"
)

// few is the number of digests up to which they are sorted by insertion.
const few = 48

// sortDigests sorts digests in place: first by their first byte, then the digests of each
// first byte by their second one, and these by insertion. MD5 digests are spread evenly, so
// that few of them have the same two bytes; others are sorted by comparisons.
func sortDigests(digests []hashing.Digest) {
	if len(digests) <= few {
		insertionSort(digests)
		return
	}
	scatter(digests, 0)
}

// scatter sorts digests that are equal before byte at.
func scatter(digests []hashing.Digest, at int) {
	var ends [firstBytes]int
	for i := range digests {
		ends[digests[i][at]]++
	}
	var next [firstBytes]int
	sum := 0
	for b := range ends {
		next[b] = sum
		sum += ends[b]
		ends[b] = sum
	}
	begin := 0
	for b := range ends {
		for next[b] < ends[b] { // each digest is moved once to where it belongs
			d := digests[next[b]]
			for to := d[at]; int(to) != b; to = d[at] {
				d, digests[next[to]] = digests[next[to]], d
				next[to]++
			}
			digests[next[b]] = d
			next[b]++
		}
		same := digests[begin:ends[b]]
		begin = ends[b]
		switch {
		case len(same) <= few:
			insertionSort(same)
		case at == 0:
			scatter(same, 1)
		default:
			slices.SortFunc(same, compareDigests)
		}
	}
}

func insertionSort(digests []hashing.Digest) {
	for i := 1; i < len(digests); i++ {
		d := digests[i]
		k := keyOf(&d)
		j := i
		for ; j > 0 && k.less(keyOf(&digests[j-1])); j-- {
			digests[j] = digests[j-1]
		}
		digests[j] = d
	}
}
