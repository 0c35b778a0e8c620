package inspection

import (
	"bytes"
	"fmt"
	"strings"

	"usher"
	"usher/hashing"
)

// typeCount is the number of values of a sample that look like ids of a type. idfa and aaid
// differ only in the case of their letters.
type typeCount struct {
	Type string `json:"type"`
	Rows int64  `json:"rows"`
}

// The types of values besides those of ids.
const (
	mixedCase = "uuid of no or mixed case"
	bytesUUID = "uuid of 16 bytes"
	md5Type   = "md5"
	otherType = "other"
)

// withoutWithheld returns the rows without those that source.only leaves out.
func withoutWithheld(data []byte) []byte {
	taken := data[:0]
	for line := range bytes.Lines(data) {
		if usher.WithheldBy(bytes.TrimSuffix(line, []byte("\n"))) < 0 {
			taken = append(taken, line...)
		}
	}
	return taken
}

// typesIn counts the values of a sample by type. If the ids are stored as 16 bytes, ofBytes, the
// case of their letters is usher's choice and says nothing.
func typesIn(sample *usher.Block, ofBytes bool) []typeCount {
	counts := map[string]int64{}
	t := newTypeDetector(ofBytes)
	for line := range bytes.Lines(sample.Data) {
		value := bytes.TrimSpace(line)
		if len(value) > 0 {
			counts[t.typeOf(value)]++
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

// typeDetector detects the types of values.
type typeDetector struct {
	uuid, android, md5 *hashing.Hasher
	ofBytes            bool
}

func newTypeDetector(ofBytes bool) typeDetector {
	// New never fails for the default profile of a type.
	uuid, _ := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputRaw)
	android, _ := hashing.New(usher.Profile{Type: usher.AndroidID}, usher.InputRaw)
	md5, _ := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputMD5)
	return typeDetector{uuid, android, md5, ofBytes}
}

func (t typeDetector) typeOf(value []byte) string {
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

// likelyType returns the type that the column's name promises, otherwise the most frequent type
// of ids in a sample. known is false if neither shows the type, so that the result is a guess.
func likelyType(types []typeCount, column string) (likely usher.IDType, known bool) {
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

// profileTry is the result of reading a sample with a profile.
type profileTry struct {
	Profile  usher.Profile `json:"profile"`
	Rows     int64         `json:"rows"`
	Accepted int64         `json:"accepted"`
	Junk     usher.Counts  `json:"junk"`
	Invalid  usher.Counts  `json:"invalid"`
}

// tryProfiles reads a sample with the default profile of each type.
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
		dropped.AddTo(&tally, nil)
		list = append(list, profileTry{profile, tally.Read, tally.Accepted, tally.Junk, tally.Invalid})
	}
	return list, nil
}
