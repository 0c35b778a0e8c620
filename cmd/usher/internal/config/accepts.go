package config

import (
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"usher/internal/exports/places"
	"usher/internal/fleet"
	"usher/internal/rtb"
)

// accepts is what a key takes, beyond its type. The zero value takes all.
type accepts struct {
	words string // for people: "a whole number from 1 to 5"
	holds func(value any) bool
	isURL bool // may hold a login, which is not to be printed
}

// wholeFrom takes whole numbers from least on, up to most.
func wholeFrom(least, most int) accepts {
	words := fmt.Sprintf("a whole number from %d to %d", least, most)
	if most == math.MaxInt {
		words = fmt.Sprintf("a whole number from %d on", least)
	}
	return accepts{words: words, holds: func(value any) bool {
		n, ok := value.(int)
		return ok && n >= least && n <= most
	}}
}

// percentTo takes a number from 0 to most.
func percentTo(most float64) accepts {
	return accepts{words: fmt.Sprintf("a number from 0 to %g", most), holds: func(value any) bool {
		n, ok := value.(float64)
		return ok && n >= 0 && n <= most // not NaN either
	}}
}

// rateAbove0 takes calls a second.
func rateAbove0() accepts {
	const most = 1e6
	return accepts{words: "a number above 0, up to 1000000", holds: func(value any) bool {
		n, ok := value.(float64)
		return ok && n > 0 && n <= most
	}}
}

// lastingFrom takes durations from least on.
func lastingFrom(least time.Duration) accepts {
	words := fmt.Sprintf("a duration from %s on, such as 30s, 10m or 24h", least)
	return accepts{words: words, holds: func(value any) bool {
		d, ok := value.(time.Duration)
		return ok && d >= least
	}}
}

// wordOf takes one of a few words.
func wordOf(words ...string) accepts {
	last := len(words) - 1
	return accepts{words: strings.Join(words[:last], ", ") + " or " + words[last], holds: func(value any) bool {
		word, ok := value.(string)
		return ok && slices.Contains(words, word)
	}}
}

// nameOrNone takes what may stand in the names of streams, subjects and keys.
func nameOrNone() accepts {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return accepts{words: "letters, digits, - and _", holds: func(value any) bool {
		name, ok := value.(string)
		return ok && strings.Trim(name, letters) == ""
	}}
}

// addressOrNone takes host:port, or nothing.
func addressOrNone() accepts {
	return accepts{words: "an address such as 127.0.0.1:8470, port 0 for any free one, or nothing", holds: func(value any) bool {
		address, ok := value.(string)
		if !ok || address == "" {
			return ok
		}
		_, _, err := SplitAddress(address)
		return err == nil
	}}
}

// natsURLs takes one or several with commas, as the NATS client does.
func natsURLs() accepts {
	return accepts{words: "URLs such as nats://127.0.0.1:4222, with commas between them", isURL: true, holds: func(value any) bool {
		list, ok := value.(string)
		for one := range strings.SplitSeq(list, ",") {
			if one = strings.TrimSpace(one); !strings.Contains(one, "://") {
				one = "nats://" + one
			}
			u, err := url.Parse(one)
			ok = ok && err == nil && u.Hostname() != "" && slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme)
		}
		return ok
	}}
}

func redisURL() accepts {
	return accepts{words: "redis://[user:password@]host:port[/db], or rediss://… for TLS; redis+sentinel://… and redis+cluster://… for more than one server", isURL: true, holds: func(value any) bool {
		address, ok := value.(string)
		if !ok {
			return false
		}
		rdb, err := fleet.Dial(address) // it connects only when it is used
		return err == nil && rdb.Close() == nil
	}}
}

func platformURL() accepts {
	return accepts{words: "http:// or https://, a host, and at most a path", isURL: true, holds: func(value any) bool {
		base, ok := value.(string)
		return ok && rtb.CheckBaseURL(base) == nil
	}}
}

// webURLOrNone takes a URL of the web, whatever its path and query, or none.
func webURLOrNone() accepts {
	return accepts{words: "http:// or https:// and a host, or nothing", isURL: true, holds: func(value any) bool {
		text, ok := value.(string)
		u, err := url.Parse(text)
		return ok && (text == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "")
	}}
}

// networks takes addresses with the length of their network.
func networks() accepts {
	return accepts{words: "networks such as 10.0.0.0/8 or ::1/128", holds: func(value any) bool {
		list, ok := value.([]string)
		for _, one := range list {
			_, err := netip.ParsePrefix(one)
			ok = ok && err == nil
		}
		return ok
	}}
}

// something takes any word but none.
func something() accepts {
	return accepts{words: "a word, not nothing", holds: func(value any) bool {
		word, ok := value.(string)
		return ok && word != ""
	}}
}

// hosts takes addresses and networks.
func hosts() accepts {
	return accepts{words: "addresses such as 10.1.2.3 and networks such as 10.0.0.0/8", holds: func(value any) bool {
		list, ok := value.([]string)
		_, err := places.ParseAddresses(list)
		return ok && err == nil
	}}
}

// bucketURLs takes what places.NewBuckets does.
func bucketURLs() accepts {
	return accepts{words: "s3://, gs:// or azblob://, each with a bucket's name and options in the query", isURL: true, holds: func(value any) bool {
		list, ok := value.([]string)
		_, err := places.NewBuckets(list)
		return ok && err == nil
	}}
}
