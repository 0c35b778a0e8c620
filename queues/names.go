package queues

import (
	"fmt"
	"strings"

	"usher/queues/store"
)

// Headers of messages, in addition to those of CloudEvents (ce-*). Those with the prefix
// are usher's own: they are read only on subjects that publishers may not use.
const (
	headerPrefix  = "Usher-"
	headerRun     = "Usher-Run"     // of a replay: the run it starts, 2, 3, …
	headerOrder   = "Usher-Order"   // of a replay: the first publish's sequence
	headerDropped = "Usher-Dropped" // the tally of what sealing dropped, JSON
	headerReplay  = "Usher-Replay"  // of a replay, and of a letter: the replay that it belongs to
	headerEdited  = "Usher-Edited"  // of a replay with an edited body: a usher.Edit
	headerMsgID   = "Nats-Msg-Id"
	headerEventID = "ce-id"
	headerTrace   = "traceparent"
)

// Keys of the state bucket.
func jobKey(id string) string         { return "jobs." + id }
func partKey(id string, p int) string { return fmt.Sprintf("parts.%s.%d", id, p) }
func endingKey(id string) string      { return "ending." + id }
func targetKey(target string) string  { return "targets." + store.Token(target) }
func creativeKey(code string) string  { return "creatives." + store.Token(code) }
func idOfEndingKey(key string) string { return strings.TrimPrefix(key, "ending.") }
