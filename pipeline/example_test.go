package pipeline_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"usher"
	"usher/pipeline"
)

// lines yields a text of one id per line as a single block.
type lines struct{ text string }

func (l *lines) Next(context.Context) (*usher.Block, error) {
	if l.text == "" {
		return nil, io.EOF
	}
	b := &usher.Block{Data: []byte(l.text)}
	l.text = ""
	return b, nil
}

func ExampleUpload() {
	export := &lines{"6D92078A-8246-4BA4-AE5B-76104861E7DC\n6d92078a-8246-4ba4-ae5b-76104861e7dc\nnull\n"}
	c, err := pipeline.Upload(context.Background(), export, pipeline.Options{
		Profile: usher.Profile{Type: usher.IDFA}, Input: usher.InputRaw, MaxRejectPercent: 90,
		Send: func(_ context.Context, b *usher.Batch) error {
			text, err := b.Text()
			fmt.Printf("batch %d has %s\n", b.Number, text)
			return err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Tally.Read, c.Tally.Accepted, c.Tally.Duplicate, c.Tally.Junk)
	// Output:
	// batch 1 has f2d1311ca5c1ecb214c19a26e9ddbad0
	// 3 1 1 map[placeholder:1]
}

func ExampleHashInline() {
	job := usher.Job{Profile: &usher.Profile{Type: usher.IDFA}, Source: &usher.Source{IDs: []string{
		"6D92078A-8246-4BA4-AE5B-76104861E7DC", "00000000-0000-0000-0000-000000000000",
	}}}
	dropped, err := pipeline.HashInline(&job)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(job.Input, job.Source.IDs, dropped.Junk)
	// Output: md5 [f2d1311ca5c1ecb214c19a26e9ddbad0] map[zero_id:1]
}

func ExampleLoadSuppression() {
	list, err := pipeline.LoadSuppression(strings.NewReader("f2d1311ca5c1ecb214c19a26e9ddbad0\n"))
	fmt.Println(list.Len(), err)
	_, err = pipeline.LoadSuppression(strings.NewReader("6D92078A-8246-4BA4-AE5B-76104861E7DC\n"))
	fmt.Println(err != nil)
	// Output:
	// 1 <nil>
	// true
}
