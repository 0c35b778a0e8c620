package rtb

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"usher"
)

// Definition is a campaign's definition as the platform wrote it, including the fields that
// this package does not know. A program that changes a campaign must send it back whole, because
// the definition that it sends replaces the campaign.
type Definition json.RawMessage

// Inputs and answers of the operations on definitions.
type (
	definitionAnswer struct {
		Campaign json.RawMessage `json:"campaign"`
	}
	definitionInput struct {
		CampaignCode string          `path:"campaignCode"`
		Campaign     json.RawMessage `body:"json"`
	}
)

// The operations campaigns.get and campaigns.put with the definition as raw JSON.
var (
	definitionGet = get[CampaignPath, definitionAnswer](CampaignsGet.Name, CampaignsGet.Path, CampaignsGet.Summary, CampaignsGet.About, 404)
	definitionPut = put[definitionInput, Nothing](CampaignsPut.Name, CampaignsPut.Path, CampaignsPut.Summary, CampaignsPut.About, 400)
)

// CampaignDefinition reads a campaign's definition, by GET /v3/campaigns/{campaignCode}. An
// unknown campaign is not_found.
func (c *Client) CampaignDefinition(ctx context.Context, code string) (Definition, error) {
	answer, _, err := definitionGet.Do(ctx, c, CampaignPath{code})
	return Definition(answer.Campaign), err
}

// ReplaceCampaign replaces a locked campaign by a definition that was read and changed, by
// PUT /v3/campaigns/{campaignCode}.
func (c *Client) ReplaceCampaign(ctx context.Context, code string, d Definition) ([]usher.Warning, error) {
	_, warnings, err := definitionPut.Do(ctx, c, definitionInput{code, json.RawMessage(d)})
	return warnings, err
}

func (d definitionInput) violation(c *Client) (field, rule string) {
	return CampaignDefinition{CampaignCode: d.CampaignCode}.violation(c)
}

// lastModified is the field that every change of a campaign changes.
const lastModified = "lastModificationTime"

// pathOf returns the keys that lead to a field of biddingSettings.
func pathOf(f usher.BiddingField) []string {
	if f == usher.BudgetField {
		return []string{"biddingSettings", "budget", "daily"}
	}
	return []string{"biddingSettings", "biddingStrategy", "maxBid"}
}

// Number returns a number of the biddingSettings. It is NaN if the definition has none.
func (d Definition) Number(f usher.BiddingField) float64 {
	begin, end, found := find(d, pathOf(f))
	if !found {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(string(d[begin:end]), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Currency returns the currency of the biddingSettings, or "".
func (d Definition) Currency() string {
	var currency string
	if begin, end, found := find(d, []string{"biddingSettings", "budget", "currency"}); !found || json.Unmarshal(d[begin:end], &currency) != nil {
		return ""
	}
	return currency
}

// With returns the definition of the campaign of a code with another number in its
// biddingSettings. Everything else stays as the platform wrote it, byte for byte; if the
// code is missing, it is added, because an update must have it.
func (d Definition) With(code string, f usher.BiddingField, value float64) (Definition, error) {
	begin, end, found := find(d, pathOf(f))
	if !found {
		return nil, fmt.Errorf("change the %s of campaign %s: its definition has none", f, code)
	}
	changed := slices.Concat(d[:begin], []byte(strconv.FormatFloat(value, 'f', -1, 64)), d[end:])
	if _, _, found := find(d, []string{"code"}); found {
		return changed, nil
	}
	key, err := json.Marshal(code)
	if err != nil {
		return nil, err
	}
	at := bytes.IndexByte(changed, '{') + 1 // it is an object, because it has biddingSettings
	return slices.Concat(changed[:at], []byte(`"code":`), key, []byte(","), changed[at:]), nil
}

// Same reports whether two definitions are equal except for the time of the last change.
func (d Definition) Same(other Definition) bool {
	return len(d.Differences(other, "")) == 0
}

// Differences returns JSON pointers to the values in which another definition differs, at
// most ten, except for a field of biddingSettings, if it is not "", and for the time of the
// last change. Numbers are compared by their values.
func (d Definition) Differences(other Definition, except usher.BiddingField) []string {
	a, errA := decodeNumbers(d)
	b, errB := decodeNumbers(other)
	if errA != nil || errB != nil {
		return []string{"/"}
	}
	ignored := []string{"/" + lastModified}
	if except != "" {
		ignored = append(ignored, "/"+strings.Join(pathOf(except), "/"))
	}
	var pointers []string
	compare("", a, b, func(pointer string) {
		if !slices.Contains(ignored, pointer) && len(pointers) < maxDifferences {
			pointers = append(pointers, pointer)
		}
	})
	return pointers
}

const maxDifferences = 10

// Pending reports whether the creative at a pointer such as /creatives/0/status waits for
// approval.
func (d Definition) Pending(pointer string) bool {
	var shown struct {
		Creatives []struct {
			Status string `json:"status"`
		} `json:"creatives"`
	}
	var at int
	_, err := fmt.Sscanf(pointer, "/creatives/%d/status", &at)
	return err == nil && json.Unmarshal(d, &shown) == nil && at >= 0 && at < len(shown.Creatives) && shown.Creatives[at].Status == Pending
}

func decodeNumbers(text []byte) (v any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&v)
	return v, err
}

// compare calls differ with a pointer to each value in which a and b differ.
func compare(pointer string, a, b any, differ func(pointer string)) {
	switch a := a.(type) {
	case map[string]any:
		if b, same := b.(map[string]any); same {
			compareObjects(pointer, a, b, differ)
			return
		}
	case []any:
		if b, same := b.([]any); same && len(a) == len(b) {
			for i := range a {
				compare(fmt.Sprintf("%s/%d", pointer, i), a[i], b[i], differ)
			}
			return
		}
	case json.Number:
		if b, same := b.(json.Number); same && equalNumbers(a, b) {
			return
		}
	}
	if !reflect.DeepEqual(a, b) {
		differ(pointer)
	}
}

func compareObjects(pointer string, a, b map[string]any, differ func(pointer string)) {
	var keys []string
	for key := range a {
		keys = append(keys, key)
	}
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		at := pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		valueA, inA := a[key]
		valueB, inB := b[key]
		if inA != inB {
			differ(at)
			continue
		}
		compare(at, valueA, valueB, differ)
	}
}

func equalNumbers(a, b json.Number) bool {
	x, errX := a.Float64()
	y, errY := b.Float64()
	return a == b || errX == nil && errY == nil && x == y
}

// find returns where the value at a path of keys begins and ends in an object's text.
func find(text []byte, path []string) (begin, end int, found bool) {
	end = len(text)
	for _, key := range path {
		low, high, found := findKey(text[begin:end], key)
		if !found {
			return 0, 0, false
		}
		begin, end = begin+low, begin+high
	}
	return begin, end, true
}

// findKey returns where the value of a key begins and ends in an object's text. If a key
// occurs twice, its last value counts, as for most JSON decoders.
func findKey(text []byte, wanted string) (begin, end int, found bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return 0, 0, false
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return 0, 0, false
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return 0, 0, false
		}
		if key == wanted {
			end = int(decoder.InputOffset())
			begin, found = end-len(value), true
		}
	}
	return begin, end, found
}
