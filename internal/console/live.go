package console

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The topics that the page is told of when they change; it then reads again
// what it shows. A job's own is "job <id>".
const (
	topicJobs      = "jobs"
	topicLetters   = "letters"
	topicAudit     = "audit"
	topicRules     = "rules"
	topicOverview  = "overview"
	topicReplays   = "replays"
	topicJobPrefix = "job "
)

// Bounds of the live changes: pages that listen, jobs named in one message
// (more are only "jobs"), how often a message goes out, a heartbeat comes, and
// how long a page may take to read one before it is dropped.
const (
	listenersMost = 100
	namedMost     = 50
	liveEvery     = 250 * time.Millisecond
	heartbeat     = 15 * time.Second
	readTime      = 10 * time.Second
)

// hub tells pages what has changed. What a page has not read yet is merged, so
// that a slow one holds no more memory than a fast one.
type hub struct {
	mu        sync.Mutex
	listeners map[*listener]bool
	closed    bool
}

// listener is one page.
type listener struct {
	mu      sync.Mutex
	pending map[string]bool
	awake   chan struct{} // holds one: there is something pending
}

func newHub() *hub { return &hub{listeners: map[*listener]bool{}} }

// tell wakes every page.
func (h *hub) tell(topic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		l.add(topic)
	}
}

func (h *hub) join() (*listener, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.listeners) >= listenersMost {
		return nil, false
	}
	l := &listener{pending: map[string]bool{}, awake: make(chan struct{}, 1)}
	h.listeners[l] = true
	return l, true
}

func (h *hub) leave(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners[l] {
		delete(h.listeners, l)
		close(l.awake)
	}
}

// close ends every page's stream; the pages come back by themselves.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for l := range h.listeners {
		delete(h.listeners, l)
		close(l.awake)
	}
}

func (l *listener) add(topic string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) < namedMost || !strings.HasPrefix(topic, topicJobPrefix) {
		l.pending[topic] = true
	}
	select {
	case l.awake <- struct{}{}:
	default:
	}
}

func (l *listener) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	topics := make([]string, 0, len(l.pending))
	for topic := range l.pending {
		topics = append(topics, topic)
	}
	clear(l.pending)
	slices.Sort(topics)
	return topics
}

// serveLive streams topics as server-sent events: a line "data: jobs,job x" for
// each message. It ends with the session.
func (c *Console) serveLive(w http.ResponseWriter, req *http.Request, _ User) error {
	l, ok := c.live.join()
	if !ok {
		return refuse(http.StatusServiceUnavailable, "too many pages are open: %d is the most", listenersMost)
	}
	defer c.live.leave(l)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would hold it back
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	err := c.send(w, ": welcome\nretry: 2000\n\n")
	for err == nil {
		select {
		case <-req.Context().Done():
			return nil
		case <-beat.C:
			if _, _, in := c.who(req); !in {
				return nil
			}
			err = c.send(w, ": still here\n\n")
		case _, open := <-l.awake:
			if !open {
				return nil
			}
			if err = c.send(w, fmt.Sprintf("data: %s\n\n", strings.Join(l.take(), ","))); err == nil {
				err = rest(req, liveEvery)
			}
		}
	}
	return nil // the page is gone, or reads too slowly
}

func (c *Console) send(w http.ResponseWriter, text string) error {
	control := http.NewResponseController(w)
	if err := control.SetWriteDeadline(time.Now().Add(readTime)); err != nil {
		return err
	}
	if _, err := w.Write([]byte(text)); err != nil {
		return err
	}
	return control.Flush()
}

// rest waits, so that what comes close together goes out together.
func rest(req *http.Request, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-req.Context().Done():
		return req.Context().Err()
	}
}
