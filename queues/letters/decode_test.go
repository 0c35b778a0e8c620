package letters

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"usher"
)

// The scanner reads what encoding/json reads.
func FuzzDecodeLetter(f *testing.F) {
	f.Add([]byte(`{"seq":0,"id":"a","run":1,"kind":"segment.add","target":"segment 1","class":"not_found","message":"x \"y\" é","hint":"","attempts":1,"crashes":0,"at":"2026-11-21T10:00:00.1Z","job":{"a":"}{","b":[1,{}]}}`))
	f.Add([]byte(`{"id":null,"job":null,"run":01}`))
	f.Add([]byte(`{"id": "a"}`))
	f.Add([]byte(`{"ID":"a","id":"b","edited":{"run":1}}`))
	f.Add([]byte(`{"seq":5000000000}`))
	f.Add([]byte(`{"message":"` + "\xff" + `"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var scanned, decoded usher.DeadLetter
		s := scanner{data: data}
		if !s.letter(&scanned) {
			return // left to encoding/json
		}
		// An invalid job is detected when it is shown; the scanner only counts braces.
		if scanned.Job != nil && !json.Valid(scanned.Job) {
			return
		}
		if err := json.Unmarshal(data, &decoded); err != nil {
			t.Fatalf("encoding/json refuses it: %v", err)
		}
		scanned.Seq, decoded.Seq = 0, 0 // decode sets it
		if string(decoded.Job) == "null" {
			decoded.Job = nil
		}
		if diff := cmp.Diff(decoded, scanned); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Every letter that usher writes is decoded without encoding/json.
func TestScanOwnLetters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.String().Draw(t, "id")
		job, err := json.Marshal(rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "job"))
		if err != nil {
			t.Fatal(err)
		}
		want := usher.DeadLetter{
			ID: &id, Run: rapid.IntRange(0, 1e8).Draw(t, "run"), Kind: usher.Kind(rapid.String().Draw(t, "kind")),
			Target: rapid.String().Draw(t, "target"), Message: rapid.String().Draw(t, "message"),
			At: time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 1e6).UTC(), Job: job,
		}
		if rapid.Bool().Draw(t, "unread") {
			want.ID, want.Job = nil, nil
		}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got, plain usher.DeadLetter
		if s := (scanner{data: data}); !s.letter(&got) {
			t.Fatalf("not scanned: %s", data)
		}
		if err := json.Unmarshal(data, &plain); err != nil {
			t.Fatal(err)
		}
		if string(plain.Job) == "null" {
			plain.Job = nil
		}
		if diff := cmp.Diff(plain, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
