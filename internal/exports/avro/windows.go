package avro

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"usher/internal/exports/places"
)

// markerBytes is the size of the marker that stands behind the header and behind each block
// of a file.
const markerBytes = 16

// Windows returns records as NDJSON from most places of a file: those behind the first markers
// after even distances, in at most size bytes each. A window that cannot be read is left out:
// what is wrong with the file is found when it is read. begins is the beginning of the file.
func Windows(ctx context.Context, f *places.File, begins []byte, most, size int64, layout Layout) ([][]byte, error) {
	marker := make([]byte, markerBytes)
	if err := f.ReadFull(ctx, marker, f.Size-markerBytes); err != nil {
		return nil, err
	}
	at := bytes.Index(begins, marker)
	if at < 0 {
		return nil, nil // its header is longer than its beginning, or it is cut off
	}
	header := begins[:at+markerBytes]
	var windows [][]byte
	for i := range most {
		in := places.NewInput(ctx, f, max(f.Size*(i+1)/(most+1), int64(len(header))), f.Size)
		text, err := window(in, header, marker, size, layout)
		if in.Err() != nil {
			return windows, in.Err()
		}
		if err == nil {
			windows = append(windows, text)
		}
	}
	return windows, nil
}

// window reads the first records behind the next marker.
func window(in *places.Input, header, marker []byte, size int64, layout Layout) ([]byte, error) {
	blocks, err := behind(in, marker)
	if err != nil {
		return nil, err
	}
	r, err := Open(in, io.MultiReader(bytes.NewReader(header), blocks), layout)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, size))
}

// behind returns what follows the next marker. It returns io.EOF if there is none in as many
// bytes as a block may have.
func behind(in io.Reader, marker []byte) (io.Reader, error) {
	r := bufio.NewReaderSize(in, 64<<10)
	for read := 0; read <= maxPacked; {
		data, err := r.Peek(r.Size())
		if i := bytes.Index(data, marker); i >= 0 {
			_, err := r.Discard(i + len(marker))
			return r, err
		}
		if err != nil {
			return nil, err
		}
		n, err := r.Discard(len(data) - len(marker) + 1)
		if err != nil {
			return nil, err
		}
		read += n
	}
	return nil, io.EOF
}
