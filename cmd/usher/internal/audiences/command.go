package audiences

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/ledger"
	"usher/internal/rtb"
	"usher/queues"
)

// Command returns usher audiences.
func Command() *cobra.Command {
	return command.Group("audiences", "Show segments and campaign targets, and count the members that they have in common", list(), show(), overlap())
}

// session is what a command works with.
type session struct {
	config     config.Config
	queue      *queues.Queue
	store      *ledger.Store
	advertiser string
	segments   map[string]rtb.Segment // of the advertiser, by their ids; nil: the platform does not say
}

// onLedger opens the ledger, and reads the names of the segments.
func onLedger() command.Session[*session] {
	return command.Session[*session]{
		Flags: func(cmd *cobra.Command) {
			config.AddFlags(cmd, "nats", "namespace", "advertiser", "platform", "username")
		},
		Open: func(cmd *cobra.Command, use func(ctx context.Context, s *session) error) error {
			return connect.WithLedger(cmd, func(ctx context.Context, c config.Config, q *queues.Queue, store *ledger.Store) error {
				s := &session{config: c, queue: q, store: store, advertiser: c.String("platform.advertiser")}
				s.readNames(ctx, connect.NewLogin(cmd, c), cmd.ErrOrStderr())
				return use(ctx, s)
			})
		},
	}
}

// readNames reads the segments of the platform. If that fails, the ids remain.
func (s *session) readNames(ctx context.Context, login connect.Login, notes io.Writer) {
	client, err := login.Client(s.config)
	var segments []rtb.Segment
	if err == nil {
		segments, err = client.Segments.List(ctx)
	}
	if err != nil {
		fmt.Fprintf(notes, "note: the names of segments are not known, because the platform does not say them: %v%s\n", err, login.Hint(err))
		return
	}
	s.segments = make(map[string]rtb.Segment, len(segments))
	for _, segment := range segments {
		s.segments[segment.ID] = segment
	}
	if err := connect.NoteSegments(ctx, s.config, s.queue, s.advertiser, segments...); err != nil {
		fmt.Fprintf(notes, "note: the names of segments are not kept, and other lists may lack them: %v\n", err)
	}
}

// segment returns the segment of a target, or nil if it is none or is not known.
func (s *session) segment(t ledger.Target) *rtb.Segment {
	segment, known := s.segments[t.ID()]
	if !known || !t.IsSegment() || t.Advertiser != s.advertiser {
		return nil
	}
	return &segment
}

// label returns how people call a target: iOS customers (4), or campaign/CODE.
func (s *session) label(t ledger.Target) string {
	text := t.Name
	if segment := s.segment(t); segment != nil && segment.Name != "" {
		text = segment.Label()
	}
	if t.Advertiser != s.advertiser {
		text += " of " + t.Advertiser
	}
	return text
}

// name returns the name that the platform has of a target; nil: it has none, or does not say.
func (s *session) name(t ledger.Target) *string {
	if segment := s.segment(t); segment != nil {
		return &segment.Name
	}
	return nil
}

// typeOf returns the type of a target's ids: that of the segment, or the profile of its ledger.
func (s *session) typeOf(t ledger.Target, profile usher.Profile) string {
	if segment := s.segment(t); segment != nil {
		return segment.Type
	}
	return string(profile.Type)
}
