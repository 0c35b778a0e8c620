package console

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"usher"
)

// The topics whose changes are announced to the page, which then reloads its data. The
// topic of a single job is "job <id>".
const (
	topicJobs      = "jobs"
	topicLetters   = "letters"
	topicAudit     = "audit"
	topicRules     = "rules"
	topicOverview  = "overview"
	topicReplays   = "replays"
	topicAudiences = "audiences"
	topicCampaigns = "campaigns"
	topicJobPrefix = "job "
	topicAnyJob    = topicJobPrefix + "*" // more jobs than a message names
)

// Bounds of the live updates.
const (
	maxListeners = 100                    // open pages
	maxNamedJobs = 50                     // jobs with their own topic in a message; the others are announced by topicAnyJob
	liveEvery    = 250 * time.Millisecond // between two messages
	readTime     = 10 * time.Second       // in which a page must read a message; otherwise its stream ends
	loadTime     = 10 * time.Second       // in which a page has read its data and opens its stream
)

// hub announces changes to pages. Unread changes of a page are merged, so that a slow
// page needs no more memory than a fast one.
//
// A page reads its data before its stream is open. The stream therefore begins with the topics
// that changed just before, so that no change between the two is missed.
type hub struct {
	now func() time.Time

	mu        sync.Mutex
	listeners map[*listener]bool
	recent    map[string]time.Time // when topics changed last, at least those of the last loadTime
	pruned    time.Time
	closed    bool
}

// listener is an open page.
type listener struct {
	mu      sync.Mutex
	pending map[string]bool
	awake   chan struct{} // capacity 1; full if topics are pending
}

func newHub(now func() time.Time) *hub {
	return &hub{now: now, listeners: map[*listener]bool{}, recent: map[string]time.Time{}}
}

// notify announces a changed topic to every page.
func (h *hub) notify(topic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	if now.Sub(h.pruned) > loadTime {
		maps.DeleteFunc(h.recent, func(_ string, at time.Time) bool { return now.Sub(at) > loadTime })
		h.pruned = now
	}
	h.recent[topic] = now
	for l := range h.listeners {
		l.add(topic)
	}
}

func (h *hub) join() (*listener, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.listeners) >= maxListeners {
		return nil, false
	}
	l := &listener{pending: map[string]bool{}, awake: make(chan struct{}, 1)}
	for topic, at := range h.recent {
		if h.now().Sub(at) <= loadTime {
			l.add(topic)
		}
	}
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

// close ends all streams; the pages reconnect by themselves.
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
	if len(l.pending) >= maxNamedJobs && strings.HasPrefix(topic, topicJobPrefix) && !l.pending[topic] {
		topic = topicAnyJob
	}
	l.pending[topic] = true
	signal(l.awake)
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

// serveLive streams topics as server-sent events, with one line "data: jobs,job x" for
// each message ("job *": any job may have changed), and the state of the services as events of
// the type health, every second. A page that receives none knows that it is cut off. The stream ends with the session.
func (c *Console) serveLive(w http.ResponseWriter, req *http.Request, _ User) error {
	l, ok := c.live.join()
	if !ok {
		return refuse(http.StatusServiceUnavailable, "too many pages are open: the maximum is %d", maxListeners)
	}
	defer c.live.leave(l)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would buffer the stream
	event, checked := c.healthEvent()
	err := c.send(w, "retry: 2000\n\n"+event)
	for err == nil {
		select {
		case <-req.Context().Done():
			return nil
		case <-checked:
			if _, _, absent := c.authenticate(req); absent != present && absent != unread {
				return nil
			}
			event, checked = c.healthEvent()
			err = c.send(w, event)
		case _, open := <-l.awake:
			if !open {
				return nil
			}
			if err = c.send(w, fmt.Sprintf("data: %s\n\n", strings.Join(l.take(), ","))); err == nil {
				err = usher.Sleep(req.Context(), liveEvery) // collect changes that come close together
			}
		}
	}
	return nil // the page is gone or did not read in time
}

// send writes text to a page's stream.
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
