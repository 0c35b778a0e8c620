package hashing_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"usher"
	"usher/hashing"
)

func stream(t *testing.T, in io.Reader, keep bool) (string, usher.Tally) {
	t.Helper()
	var out bytes.Buffer
	tally, err := hashing.Stream(t.Context(), in, &out, hashing.StreamOptions{Profile: idfa, KeepLines: keep})
	if err != nil {
		t.Fatal(err)
	}
	if err := tally.Check(); err != nil {
		t.Error(err)
	}
	return out.String(), tally
}

func TestStream(t *testing.T) {
	t.Parallel()
	const first, second = "3b667154ffa2bc3adf2f41136344aaee\n", "f2d1311ca5c1ecb214c19a26e9ddbad0\n"
	const in = "\ufeff5AAB8704-4D8C-4879-8993-C6DD8361F88F\r\n\n{ifa}\n\"\"\n6D92078A-8246-4BA4-AE5B-76104861E7DC\n  \nxx\n5aab8704-4d8c-4879-8993-c6dd8361f88f"
	for name, test := range map[string]struct {
		keep bool
		want string
	}{
		"left out":   {false, first + second + first},
		"lines kept": {true, first + "\n\n\n" + second + "\n\n" + first},
	} {
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			out, tally := stream(t, r, test.keep)
			if out != test.want {
				t.Errorf("%s: %q, want %q", name, out, test.want)
			}
			if tally.Read != 6 || tally.Accepted != 3 || tally.Junk[usher.Empty] != 1 || tally.Junk[usher.Macro] != 1 || tally.Invalid[usher.Shape] != 1 {
				t.Errorf("%s: tally %+v", name, tally)
			}
		}
	}
}

// TestStreamKeepsOrder compares the output with the reference in the order of the lines,
// with dirty lines at many positions.
func TestStreamKeepsOrder(t *testing.T) {
	t.Parallel()
	var in, want, kept strings.Builder
	ref := reference{profile: idfa}
	digests := map[string]string{}
	for _, v := range dirt() {
		digests[v], _ = ref.judge(v)
	}
	for range 60 { // more than one piece for each core
		for _, v := range dirt() {
			in.WriteString(v + "\n")
			digest := digests[v]
			kept.WriteString(digest + "\n")
			if digest != "" {
				want.WriteString(digest + "\n")
			}
		}
	}
	if out, _ := stream(t, strings.NewReader(in.String()), false); out != want.String() {
		t.Error("the digests differ from those of the lines, or their order does")
	}
	if out, _ := stream(t, strings.NewReader(in.String()), true); out != kept.String() {
		t.Error("with KeepLines, the lines differ from those of the input")
	}
}

// TestStreamLongLines checks that a line of any length is one row and takes no memory.
func TestStreamLongLines(t *testing.T) {
	t.Parallel()
	const id = "5AAB8704-4D8C-4879-8993-C6DD8361F88F\n"
	for name, long := range map[string]int64{"over 64 KiB": 70 << 10, "over the buffer": 5 << 20, "as long as the buffer": 1 << 20} {
		for _, end := range []string{"\n", ""} {
			in := io.MultiReader(strings.NewReader(id), io.LimitReader(endless('x'), long), strings.NewReader(end+id[:len(id)*len(end)]))
			out, tally := stream(t, in, true)
			want := strings.Repeat("3b667154ffa2bc3adf2f41136344aaee\n\n", 1) + strings.Repeat("3b667154ffa2bc3adf2f41136344aaee\n", len(end))
			if out != want || tally.Read != int64(2+len(end)) || tally.Invalid[usher.Shape] != 1 {
				t.Errorf("%s, end %q: %q, tally %+v", name, end, out, tally)
			}
		}
	}
}

type endless byte

func (c endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c)
	}
	return len(p), nil
}

func TestStreamErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, in := range map[string]io.Reader{"at once": iotest.ErrReader(broken), "later": io.MultiReader(strings.NewReader("x\n"), iotest.ErrReader(broken))} {
		if _, err := hashing.Stream(t.Context(), in, io.Discard, hashing.StreamOptions{Profile: idfa}); !errors.Is(err, broken) {
			t.Errorf("read, %s: %v", name, err)
		}
	}
	id := strings.NewReader("5AAB8704-4D8C-4879-8993-C6DD8361F88F\n")
	if _, err := hashing.Stream(t.Context(), id, refusing{broken}, hashing.StreamOptions{Profile: idfa}); !errors.Is(err, broken) {
		t.Errorf("write: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	if _, err := hashing.Stream(ctx, endless('x'), io.Discard, hashing.StreamOptions{Profile: idfa}); !errors.Is(err, broken) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := hashing.Stream(t.Context(), strings.NewReader(""), io.Discard, hashing.StreamOptions{}); err == nil {
		t.Error("no profile: no error")
	}
}

// TestStreamDoesNotWaitForInput checks that Stream writes the digests of what it has read
// while it waits for more input, and that it returns when its context ends.
func TestStreamDoesNotWaitForInput(t *testing.T) {
	t.Parallel()
	in, feed := io.Pipe()
	defer feed.Close()
	written, out := io.Pipe()
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := hashing.Stream(ctx, in, out, hashing.StreamOptions{Profile: idfa})
		ended <- err
	}()
	if _, err := io.WriteString(feed, "5AAB8704-4D8C-4879-8993-C6DD8361F88F\n"); err != nil {
		t.Fatal(err)
	}
	digest := make([]byte, 33)
	if _, err := io.ReadFull(written, digest); err != nil || string(digest) != "3b667154ffa2bc3adf2f41136344aaee\n" {
		t.Errorf("%q, %v", digest, err)
	}
	broken := errors.New("broken")
	cancel(broken)
	if err := <-ended; !errors.Is(err, broken) {
		t.Error(err)
	}
}

type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }
