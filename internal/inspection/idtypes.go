package inspection

import (
	"bytes"
	"fmt"
	"strings"

	"usher"
	"usher/hashing"
)

// typeCount is how many values of a sample are of a type, as far as their look
// tells: idfa and aaid are the same but for their letters' case.
type typeCount struct {
	Type string `json:"type"`
	Rows int64  `json:"rows"`
}

// The types that a sample's values may have beside those of ids.
const (
	mixedCase = "uuid of no or mixed case"
	bytesUUID = "uuid of 16 bytes"
	md5Type   = "md5"
	otherType = "other"
)

// typesIn counts the values of a sample by type. Where its UUIDs are 16 bytes,
// their letters' case is usher's own.
func typesIn(sample *usher.Block, ofBytes bool) []typeCount {
	counts := map[string]int64{}
	t := newTypeTeller(ofBytes)
	for line := range bytes.Lines(sample.Data) {
		value := bytes.TrimSpace(line)
		if len(value) > 0 {
			counts[t.tell(value)]++
		}
	}
	list := []typeCount{}
	for _, name := range []string{string(usher.IDFA), string(usher.AAID), string(usher.AndroidID), mixedCase, bytesUUID, md5Type, otherType} {
		if counts[name] > 0 {
			list = append(list, typeCount{name, counts[name]})
		}
	}
	return list
}

// typeTeller tells the type of one value after another.
type typeTeller struct {
	uuid, android, md5 *hashing.Hasher
	ofBytes            bool
}

func newTypeTeller(ofBytes bool) typeTeller {
	// No error is possible: the profiles are the types' own.
	uuid, _ := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputRaw)
	android, _ := hashing.New(usher.Profile{Type: usher.AndroidID}, usher.InputRaw)
	md5, _ := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputMD5)
	return typeTeller{uuid, android, md5, ofBytes}
}

func (t typeTeller) tell(value []byte) string {
	if _, reason := t.uuid.Hash(value); reason == hashing.None {
		upper := bytes.ContainsAny(value, "ABCDEF")
		lower := bytes.ContainsAny(value, "abcdef")
		switch {
		case t.ofBytes:
			return bytesUUID
		case upper && !lower:
			return string(usher.IDFA)
		case lower && !upper:
			return string(usher.AAID)
		}
		return mixedCase
	}
	if _, reason := t.md5.Hash(value); reason == hashing.None {
		return md5Type
	}
	if _, reason := t.android.Hash(value); reason == hashing.None {
		return string(usher.AndroidID)
	}
	return otherType
}

// likelyType returns the most frequent type of ids in a sample, unless the column's name
// says otherwise. told is false if nothing tells the type and the result is a guess.
func likelyType(types []typeCount, column string) (likely usher.IDType, told bool) {
	best, most, uuids := usher.IDFA, int64(0), false
	for _, t := range types {
		uuids = uuids || t.Type == mixedCase || t.Type == bytesUUID
		if usher.IDType(t.Type) == usher.IDFA || usher.IDType(t.Type) == usher.AAID || usher.IDType(t.Type) == usher.AndroidID {
			if t.Rows > most {
				best, most = usher.IDType(t.Type), t.Rows
			}
		}
	}
	name := strings.ToLower(column)
	switch {
	case best == usher.AndroidID && most > 0:
		return best, true
	case strings.Contains(name, "idfa"):
		return usher.IDFA, true
	case strings.Contains(name, "aaid"), strings.Contains(name, "gaid"), strings.Contains(name, "google"):
		return usher.AAID, true
	case most == 0 && !uuids && strings.Contains(name, "android"):
		return usher.AndroidID, true // all MD5
	}
	return best, most > 0 || !uuids
}

// profileTry is the result of reading a sample by a profile.
type profileTry struct {
	Profile  usher.Profile `json:"profile"`
	Rows     int64         `json:"rows"`
	Accepted int64         `json:"accepted"`
	Junk     usher.Counts  `json:"junk"`
	Invalid  usher.Counts  `json:"invalid"`
}

// tryProfiles reads a sample by the default profile of each type.
func tryProfiles(sample *usher.Block, plan *usher.Plan) ([]profileTry, error) {
	var list []profileTry
	for _, idType := range []usher.IDType{usher.IDFA, usher.AAID, usher.AndroidID} {
		profile := usher.Profile{Type: idType}
		hasher, err := hashing.New(profile, plan.Input)
		if err != nil {
			return nil, fmt.Errorf("try profile %s: %w", profile, err)
		}
		hasher.SetHeader(plan.Header)
		var tally usher.Tally
		var dropped hashing.Counts
		out := hashing.NewOut(4096, 4096)
		for at := 0; at < len(sample.Data); {
			used := hasher.Lines(out, sample.Data[at:], sample.Records, true)
			at += used
			tally.Read += int64(out.Count)
			tally.Accepted += int64(len(out.Digests))
			for _, reject := range out.Rejects {
				dropped[reject.Reason]++
			}
			if used == 0 {
				break
			}
		}
		dropped.AddTo(&tally)
		list = append(list, profileTry{profile, tally.Read, tally.Accepted, tally.Junk, tally.Invalid})
	}
	return list, nil
}
