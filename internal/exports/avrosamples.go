package exports

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/twmb/avro"

	"usher/internal/exports/places"
)

// markerBytes is the size of the marker that stands behind the header and behind each block
// of an Avro file.
const markerBytes = 16

// addAvroWindows adds windows to a head: the records behind the first markers after even
// distances. A window that cannot be read is left out: what is wrong with the export is
// found when it is read. raw is the beginning of the file.
func (o *Opener) addAvroWindows(ctx context.Context, f *places.File, raw []byte, h *head) error {
	marker := make([]byte, markerBytes)
	if err := f.ReadFull(ctx, marker, f.Size-markerBytes); err != nil {
		return err
	}
	at := bytes.Index(raw, marker)
	if at < 0 {
		return nil // its header is longer than the head, or it is cut off
	}
	header := raw[:at+markerBytes]
	for i := range int64(windows) {
		in := places.NewInput(ctx, f, max(f.Size*(i+1)/(windows+1), int64(len(header))), f.Size)
		text, err := o.avroWindow(in, header, marker)
		if in.Err() != nil {
			return in.Err()
		}
		if err == nil {
			h.windows = append(h.windows, &head{Origin: h.Origin, text: text})
		}
	}
	return nil
}

// avroWindow reads the first records behind the next marker.
func (o *Opener) avroWindow(in *places.Input, header, marker []byte) ([]byte, error) {
	blocks, err := behind(in, marker)
	if err != nil {
		return nil, err
	}
	a, err := o.openAvro(in, io.MultiReader(bytes.NewReader(header), blocks))
	if err != nil {
		return nil, err
	}
	defer a.close()
	return io.ReadAll(io.LimitReader(a, windowBytes))
}

// behind returns what follows the next marker. It returns io.EOF if there is none in as many
// bytes as a block may have.
func behind(in io.Reader, marker []byte) (io.Reader, error) {
	r := bufio.NewReaderSize(in, 64<<10)
	for read := 0; read <= maxAvroPacked; {
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

// fieldPaths returns the paths of the values of a schema below a path, down to a depth.
// Those of a map are not in the schema.
func fieldPaths(node *avro.SchemaNode, path string, depth int) []string {
	switch node.Type {
	case "record", "error":
		var paths []string
		for i := range node.Fields {
			f := &node.Fields[i]
			if inner := strings.TrimPrefix(path+"."+f.Name, "."); depth > 0 {
				paths = append(paths, fieldPaths(&f.Type, inner, depth-1)...)
			}
		}
		return paths
	case "array":
		return fieldPaths(node.Items, path, depth)
	case "union":
		var paths []string
		for i := range node.Branches {
			paths = append(paths, fieldPaths(&node.Branches[i], path, depth)...)
		}
		return paths
	case "string", "bytes", "fixed", "enum", "boolean", "int", "long", "float", "double":
		return []string{path}
	}
	return nil
}
