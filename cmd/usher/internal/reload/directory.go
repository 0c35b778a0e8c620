package reload

import (
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settleTime is the time between the first change of a folder and the reading of its files, so
// that a certificate and its key are replaced together.
const settleTime = 200 * time.Millisecond

// follow watches the folders of files. It watches folders, because a file is mostly replaced by
// renaming another one; Kubernetes renames a symbolic link to the folder of all files.
func follow(w *fsnotify.Watcher, paths []string) (failed error) {
	for _, path := range paths {
		folders := []string{filepath.Dir(path)}
		if target, err := filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(target))
		}
		for _, folder := range folders {
			if err := w.Add(folder); err != nil { // no effect on a folder that is watched already
				failed = err
			}
		}
	}
	return failed
}
