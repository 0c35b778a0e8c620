package hashing_test

import (
	"crypto/md5"
	"encoding/hex"
	"testing"

	"usher"
	"usher/hashing"
)

// BenchmarkKernel compares the MD5 of every kernel with crypto/md5.
func BenchmarkKernel(b *testing.B) {
	for name, test := range map[string]struct {
		profile usher.Profile
		id      string
	}{
		"uuid":  {idfa, "6D92078A-8246-4BA4-AE5B-76104861E7DC"},
		"bare":  {usher.Profile{Type: usher.IDFA, Hyphens: no()}, "6D92078A82464BA4AE5B76104861E7DC"},
		"short": {android, "af3802a465767e36"},
	} {
		b.Run(name, func(b *testing.B) {
			h := newHasher(b, test.profile, usher.InputRaw)
			const n = 1920 // a multiple of the lanes of each kernel
			id := []byte(test.id)
			w, to := new(hashing.Messages), make([]hashing.Digest, hashing.Lanes+16)
			for lane := range hashing.Lanes {
				h.Set(w, lane, test.id)
			}
			contenders := []contender{{"crypto/md5", func() {
				for i := range n {
					to[i%hashing.Lanes] = md5.Sum(id)
				}
			}}}
			for _, k := range hashing.Kernels() {
				contenders = append(contenders, contender{k.String(), func() {
					for range n / k.Lanes() {
						k.Sum(h, w, k.Lanes(), to)
					}
				}})
			}
			sideBySide(b, n, contenders...)
		})
	}
}

// BenchmarkList compares how every kernel reads and writes lists of digests with
// encoding/hex.
func BenchmarkList(b *testing.B) {
	const n = 2048
	digests := make([]hashing.Digest, n)
	for i := range digests {
		digests[i] = md5.Sum([]byte{byte(i), byte(i >> 8)})
	}
	text := append(hashing.Join(nil, digests), ',')
	b.Run("parse", func(b *testing.B) {
		contenders := []contender{{"encoding/hex", func() {
			for i := range digests {
				if _, err := hex.Decode(digests[i][:], text[33*i:33*i+32]); err != nil || text[33*i+32] != ',' {
					b.Fatal(err)
				}
			}
		}}}
		for _, k := range hashing.Kernels() {
			contenders = append(contenders, contender{k.String(), func() { k.ParseJoined(digests, text) }})
		}
		sideBySide(b, n, contenders...)
	})
	b.Run("join", func(b *testing.B) {
		to := make([]byte, 0, len(text))
		contenders := []contender{{"encoding/hex", func() {
			to = to[:0]
			for i := range digests {
				to = append(hex.AppendEncode(to, digests[i][:]), ',')
			}
		}}}
		for _, k := range hashing.Kernels() {
			contenders = append(contenders, contender{k.String(), func() { to = k.Join(to[:0], digests) }})
		}
		sideBySide(b, n, contenders...)
	})
}
