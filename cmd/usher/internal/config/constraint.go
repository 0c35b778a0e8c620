package config

import (
	"fmt"
	"math"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/fleet"
	"usher/internal/ledger"
	"usher/internal/rtb"
	"usher/internal/rules/calendar"
)

// constraint is the set of values that a key accepts, beyond its type. The zero
// constraint accepts every value.
type constraint struct {
	words string // for messages: "a whole number from 1 to 5"
	valid func(value any) bool
	isURL bool // a value may hold a login, which must not be printed
}

// integers accepts whole numbers from least to most.
func integers(least, most int) constraint {
	words := fmt.Sprintf("a whole number from %d to %d", least, most)
	if most == math.MaxInt {
		words = fmt.Sprintf("a whole number, %d or more", least)
	}
	return constraint{words: words, valid: func(value any) bool {
		n, ok := value.(int)
		return ok && n >= least && n <= most
	}}
}

// percentUpTo accepts numbers from 0 to most.
func percentUpTo(most float64) constraint {
	return constraint{words: fmt.Sprintf("a number from 0 to %g", most), valid: func(value any) bool {
		n, ok := value.(float64)
		return ok && n >= 0 && n <= most // false for NaN
	}}
}

// positiveRate accepts calls per second.
func positiveRate() constraint {
	const most = 1e6
	return constraint{words: "a number above 0, up to 1000000", valid: func(value any) bool {
		n, ok := value.(float64)
		return ok && n > 0 && n <= most
	}}
}

// durationsFrom accepts durations of at least least.
func durationsFrom(least time.Duration) constraint {
	words := fmt.Sprintf("a duration of at least %s, such as 30s, 10m or 24h", least)
	return constraint{words: words, valid: func(value any) bool {
		d, ok := value.(time.Duration)
		return ok && d >= least
	}}
}

// oneOf accepts the given words.
func oneOf(words ...string) constraint {
	last := len(words) - 1
	return constraint{words: strings.Join(words[:last], ", ") + " or " + words[last], valid: func(value any) bool {
		word, ok := value.(string)
		return ok && slices.Contains(words, word)
	}}
}

// actions accepts lists of the fields of biddingSettings.
func actions() constraint {
	return constraint{words: "budget, bid, or both", valid: func(value any) bool {
		list, ok := value.([]string)
		return ok && !slices.ContainsFunc(list, func(action string) bool { return !slices.Contains(usher.BiddingFields(), usher.BiddingField(action)) })
	}}
}

// nonEmpty accepts every string except the empty one.
func nonEmpty() constraint {
	return constraint{words: "a word that is not empty", valid: func(value any) bool {
		word, ok := value.(string)
		return ok && word != ""
	}}
}

// names accepts the characters of stream names, subjects and keys, and "".
func names() constraint {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return constraint{words: "letters, digits, - and _", valid: func(value any) bool {
		name, ok := value.(string)
		return ok && strings.Trim(name, letters) == ""
	}}
}

// address accepts host:port, and "".
func address() constraint {
	return constraint{words: "an address such as 127.0.0.1:8470, port 0 for any free port, or an empty value", valid: func(value any) bool {
		text, ok := value.(string)
		if !ok || text == "" {
			return ok
		}
		_, _, err := SplitAddress(text)
		return err == nil
	}}
}

// natsURLs accepts what the NATS client accepts: URLs separated by commas.
func natsURLs() constraint {
	return constraint{words: "URLs such as nats://127.0.0.1:4222, with commas between them", isURL: true, valid: func(value any) bool {
		list, ok := value.(string)
		for server := range strings.SplitSeq(list, ",") {
			if server = strings.TrimSpace(server); !strings.Contains(server, "://") {
				server = "nats://" + server
			}
			u, err := url.Parse(server)
			ok = ok && err == nil && u.Hostname() != "" && slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme)
		}
		return ok
	}}
}

func redisURL() constraint {
	return constraint{words: "redis://[user:password@]host:port[/db], or rediss://… for TLS; redis+sentinel://… and redis+cluster://… for more than one server", isURL: true, valid: func(value any) bool {
		address, ok := value.(string)
		if !ok {
			return false
		}
		rdb, err := fleet.Dial(address, nil, nil) // it connects when it is first used
		return err == nil && rdb.Close() == nil
	}}
}

func platformURL() constraint {
	return constraint{words: "http:// or https://, a host, and at most a path", isURL: true, valid: func(value any) bool {
		base, ok := value.(string)
		return ok && rtb.CheckBaseURL(base) == nil
	}}
}

// webURL accepts URLs with any path and query, and "".
func webURL() constraint {
	return constraint{words: "http:// or https:// and a host, or an empty value", isURL: true, valid: func(value any) bool {
		text, ok := value.(string)
		u, err := url.Parse(text)
		return ok && (text == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "")
	}}
}

// networks accepts networks in CIDR notation.
func networks() constraint {
	return constraint{words: "networks such as 10.0.0.0/8 or ::1/128", valid: func(value any) bool {
		list, ok := value.([]string)
		for _, network := range list {
			_, err := netip.ParsePrefix(network)
			ok = ok && err == nil
		}
		return ok
	}}
}

// networksAndAddresses accepts IP addresses, and networks in CIDR notation.
func networksAndAddresses() constraint {
	return constraint{words: "addresses such as 10.1.2.3 and networks such as 10.0.0.0/8", valid: func(value any) bool {
		list, ok := value.([]string)
		_, err := places.ParseAddresses(list)
		return ok && err == nil
	}}
}

// ledgerURL accepts what ledger.Open accepts.
func ledgerURL() constraint {
	return constraint{words: "a folder, or s3://, gs:// or azblob:// with a bucket's name, a path and options in the query", isURL: true, valid: func(value any) bool {
		place, ok := value.(string)
		return ok && (place == "" || ledger.CheckURL(place) == nil)
	}}
}

// bucketURLs accepts what places.NewBuckets accepts.
func bucketURLs() constraint {
	return constraint{words: "s3://, gs:// or azblob://, each with a bucket's name and options in the query", isURL: true, valid: func(value any) bool {
		list, ok := value.([]string)
		_, err := places.NewBuckets(list, nil)
		return ok && err == nil
	}}
}

// smtpURL accepts mail servers, and "".
func smtpURL() constraint {
	return constraint{words: "smtp://host:587 or smtps://host:465, or an empty value", valid: func(value any) bool {
		text, ok := value.(string)
		u, err := url.Parse(text)
		return ok && (text == "" || err == nil && (u.Scheme == "smtp" || u.Scheme == "smtps") && u.Hostname() != "" && u.User == nil && strings.Trim(u.Path, "/") == "")
	}}
}

// emails accepts an address of mail or "", and lists of addresses.
func emails() constraint {
	return constraint{words: "addresses such as ops@example.com", valid: func(value any) bool {
		list, isList := value.([]string)
		if one, ok := value.(string); ok && one != "" {
			list = []string{one}
		} else if !isList && !ok {
			return false
		}
		return !slices.ContainsFunc(list, func(address string) bool { _, err := mail.ParseAddress(address); return err != nil })
	}}
}

// advertiserCodes accepts lists of codes.
func advertiserCodes() constraint {
	code := names()
	return constraint{words: "codes of advertisers, which have " + code.words, valid: func(value any) bool {
		list, isList := value.([]string)
		return isList && !slices.ContainsFunc(list, func(one string) bool { return one == "" || !code.valid(one) })
	}}
}

// quietHours accepts two different times of the day, and "".
func quietHours() constraint {
	return constraint{words: "two different times of the day such as 22:00-07:00, or an empty value", valid: func(value any) bool {
		text, ok := value.(string)
		_, err := calendar.ParseHours(text, time.UTC)
		return ok && (text == "" || err == nil)
	}}
}

// timezone accepts the names of zones.
func timezone() constraint {
	return constraint{words: "a zone such as UTC or Europe/Berlin", valid: func(value any) bool {
		name, ok := value.(string)
		_, err := time.LoadLocation(name)
		return ok && name != "" && err == nil
	}}
}
