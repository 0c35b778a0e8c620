package fleet

import (
	_ "embed" // the scripts

	"github.com/redis/go-redis/v9"
)

// The text of the scripts. The first lines of each say what it takes and returns.
var (
	//go:embed read.lua
	readText string // functions that the other scripts use
	//go:embed lock.lua
	lockText string
	//go:embed renew.lua
	renewText string
	//go:embed release.lua
	releaseText string
	//go:embed limit.lua
	limitText string
	//go:embed stop.lua
	stopText string
	//go:embed text.lua
	textText string
)

// scripts are sent to Redis by hash, and in full only if Redis does not know the hash.
type scripts struct {
	lock, renew, release, limit, stop, text *redis.Script
}

func newScripts() scripts {
	return scripts{
		lock:    redis.NewScript(readText + lockText),
		renew:   redis.NewScript(readText + renewText),
		release: redis.NewScript(readText + releaseText),
		limit:   redis.NewScript(readText + limitText),
		stop:    redis.NewScript(readText + stopText),
		text:    redis.NewScript(readText + textText),
	}
}
