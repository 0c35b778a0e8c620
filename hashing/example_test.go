package hashing_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"usher"
	"usher/hashing"
)

// The same id has another digest in each profile.
func ExampleNew() {
	no := false
	for _, profile := range []usher.Profile{
		{Type: usher.IDFA},
		{Type: usher.IDFA, Case: usher.Lower},
		{Type: usher.IDFA, Case: usher.Lower, Hyphens: &no},
	} {
		h, err := hashing.New(profile, usher.InputRaw)
		if err != nil {
			log.Fatal(err)
		}
		digest, _ := h.Hash([]byte("5AAB8704-4D8C-4879-8993-C6DD8361F88F"))
		fmt.Println(digest, profile)
	}
	// Output:
	// 3b667154ffa2bc3adf2f41136344aaee idfa
	// a10b0a8b632605b13afa75a58fd875c6 idfa/lower/hyphens
	// 5536fb713ef40566ff906dd06c37d135 idfa/lower/no-hyphens
}

func ExampleHasher_Hash() {
	h, err := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputRaw)
	if err != nil {
		log.Fatal(err)
	}
	for _, value := range []string{
		"6d92078a-8246-4ba4-ae5b-76104861e7dc",
		`"{6D92078A-8246-4BA4-AE5B-76104861E7DC}"`,
		"00000000-0000-0000-0000-000000000000",
		"n/a",
	} {
		digest, reason := h.Hash([]byte(value))
		if reason != hashing.None {
			fmt.Println(hashing.Mask([]byte(value)), reason)
			continue
		}
		fmt.Println(hashing.Mask([]byte(value)), digest)
	}
	// Output:
	// 6d92****-e7dc f2d1311ca5c1ecb214c19a26e9ddbad0
	// 6D92****-E7DC f2d1311ca5c1ecb214c19a26e9ddbad0
	// 0000****-0000 zero_id
	// **** placeholder
}

// Lines reads a source of any size through a buffer that holds at least one line. The
// text that it does not use is the beginning of a line that the next read completes.
func ExampleHasher_Lines() {
	source := strings.NewReader("device_id\n6D92078A-8246-4BA4-AE5B-76104861E7DC\n{idfa}\n5AAB8704-4D8C-4879-8993-C6DD8361F88F")
	h, err := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputRaw)
	if err != nil {
		log.Fatal(err)
	}
	out := hashing.NewOut(hashing.Lanes, hashing.Lanes)
	buffer, have, row := make([]byte, 64), 0, 0
	for last := false; !last; {
		n, err := source.Read(buffer[have:])
		if last = err == io.EOF; err != nil && !last {
			log.Fatal(err)
		}
		text := buffer[:have+n]
		for {
			used := h.Lines(out, text, false, last)
			if used == 0 {
				break
			}
			for i, d := range out.Digests {
				fmt.Println("row", row+int(out.Rows[i]), d)
			}
			for _, r := range out.Rejects {
				fmt.Printf("row %d %s: %s\n", row+int(r.Row), r.Reason, hashing.Mask(text[r.From:r.To]))
			}
			text, row = text[used:], row+out.Count
		}
		have = copy(buffer, text)
	}
	// Output:
	// row 1 f2d1311ca5c1ecb214c19a26e9ddbad0
	// row 0 header: ****
	// row 2 macro: ****
	// row 3 3b667154ffa2bc3adf2f41136344aaee
}

func ExampleStream() {
	ids := strings.NewReader("97987bca-ae59-4c7d-94ba-ee4f19ab8c21\nnull\n97987BCA-AE59-4C7D-94BA-EE4F19AB8C21\n")
	tally, err := hashing.Stream(context.Background(), ids, os.Stdout, hashing.StreamOptions{Profile: usher.Profile{Type: usher.AAID}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tally.Read, "read,", tally.Accepted, "accepted,", tally.Junk[usher.Placeholder], "placeholder")
	// Output:
	// ba06c008973b8a1bff6e087c6149227f
	// ba06c008973b8a1bff6e087c6149227f
	// 3 read, 2 accepted, 1 placeholder
}

func ExampleExplain() {
	for _, v := range hashing.Explain("af3802a465767e36") {
		if v.Default {
			fmt.Println(v.Profile.Type, v.Digest, v.Reason)
		}
	}
	// Output:
	// idfa  wrong_type
	// aaid  wrong_type
	// android_id 2f5f1d331f6c8f887f623b08fdda07b3
}

func ExampleDecideInput() {
	aaid := usher.Profile{Type: usher.AAID}
	fmt.Println(hashing.DecideInput(aaid, []byte("gaid\n97987bca-ae59-4c7d-94ba-ee4f19ab8c21\n")))
	fmt.Println(hashing.DecideInput(aaid, []byte("gaid\nba06c008973b8a1bff6e087c6149227f\n")))
	// Output:
	// raw
	// md5
}

func ExampleParseDigests() {
	list := []byte("3B667154FFA2BC3ADF2F41136344AAEE, f2d1311ca5c1ecb214c19a26e9ddbad0\r\n")
	digests, _, err := hashing.ParseDigests(nil, list, true)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", hashing.Join(nil, digests))
	// Output:
	// 3b667154ffa2bc3adf2f41136344aaee,f2d1311ca5c1ecb214c19a26e9ddbad0
}
