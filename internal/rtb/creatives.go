package rtb

import (
	"context"

	"usher"
)

// Upload is a creative's file on the content delivery network. It takes up to
// a minute to reach edge servers in Europe, a few minutes elsewhere.
type Upload struct {
	ID       string `json:"id"`       // the creativeId of campaigns
	Location string `json:"location"` // a URL
}

// CreativePush is a creative's file: JPEG, GIF, PNG, or SWF for Flash Player 8
// or higher.
type CreativePush struct {
	Creative File `file:"creative"`
}

// CreativePull is where the platform fetches a creative's file from.
type CreativePull struct {
	URL string `form:"url"` // publicly reachable
}

// The operations that upload creatives.
var (
	CreativesPush = post[CreativePush, Upload]("creatives.push", "/v3/creatives/upload/push", "Upload a creative's file", 400)
	CreativesPull = post[CreativePull, Upload]("creatives.pull", "/v3/creatives/upload/pull", "Have the platform fetch a creative's file", 400)
)

func creativeOperations() []Operation {
	return []Operation{CreativesPush.Operation, CreativesPull.Operation}
}

// CreativesService uploads the files of creatives and sets the status of a
// creative.
type CreativesService service

// Push uploads a creative's file: JPEG, GIF, PNG, or SWF for Flash
// Player 8 or higher. Another format is a Permanent of class refused.
//
// POST /v3/creatives/upload/push
func (s *CreativesService) Push(ctx context.Context, file File) (Upload, []usher.Warning, error) {
	return CreativesPush.Do(ctx, s.client, CreativePush{file})
}

// Pull has the platform fetch a creative's file from a publicly
// reachable address; see Push for its formats.
//
// POST /v3/creatives/upload/pull
func (s *CreativesService) Pull(ctx context.Context, address string) (Upload, []usher.Warning, error) {
	return CreativesPull.Do(ctx, s.client, CreativePull{address})
}
