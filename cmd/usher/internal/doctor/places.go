package doctor

import (
	"context"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/exports/places"
	"usher/queues"
)

// examinePlaces checks the places that exports may be read from.
func examinePlaces(ctx context.Context, c config.Config) []queues.Finding {
	allowed := c.Strings("sources.allow")
	access, err := connect.OpenPlaces(c)
	if err != nil {
		return []queues.Finding{finding("sources", err, "")}
	}
	defer access.Close()
	if len(allowed) == 0 {
		return []queues.Finding{finding("sources.allow", nil, "empty in the configuration that doctor reads: workers that use it accept inline ids only; name the folders that contain exports")}
	}
	var found []queues.Finding
	for _, place := range allowed {
		says, err := examinePlace(ctx, access, place)
		found = append(found, finding("sources.allow "+place, err, says))
	}
	return found
}

// examinePlace describes a place, or returns why it cannot be read.
func examinePlace(ctx context.Context, access *places.Access, place string) (string, error) {
	if path, local := connect.LocalPath(place); local {
		return connect.DescribePlace(path)
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return access.Probe(ctx, place)
}
