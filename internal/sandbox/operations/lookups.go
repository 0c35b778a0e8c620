package operations

import (
	"iter"
	"strconv"
	"strings"

	"usher/internal/rtb"
	"usher/internal/sandbox/envelope"
	"usher/internal/sandbox/metadata"
)

func findCities(in rtb.CitiesFilter) (iter.Seq[rtb.City], error) {
	if in.Countries == "" {
		return metadata.Cities(), nil
	}
	var wanted []string
	for code := range strings.SplitSeq(strings.ToUpper(in.Countries), ",") {
		code = strings.TrimSpace(code)
		if _, found := metadata.First(metadata.Countries(), func(country rtb.Country) bool { return country.CountryCode == code }); !found {
			return nil, envelope.Invalid("countries", "must be two-letter country codes, delimited by commas: one is unknown")
		}
		wanted = append(wanted, code)
	}
	return metadata.Cities(wanted...), nil
}

func (s *State) zipCode(_ *Call, in rtb.ZIPCodePath) (rtb.ZIPCodeAnswer, error) {
	code, found := metadata.First(metadata.ZIPCodes(), func(z rtb.ZIPCode) bool { return z.ZIPCode == in.ZIPCodeID })
	if !found {
		return rtb.ZIPCodeAnswer{}, envelope.Unknown("ZIP code", in.ZIPCodeID)
	}
	return rtb.ZIPCodeAnswer{ZIPCode: code}, nil
}

func (s *State) dmaCode(_ *Call, in rtb.DMACodePath) (rtb.DMACodeAnswer, error) {
	number := parseCount(in.DMACodeID)
	code, found := metadata.First(metadata.DMACodes(), func(d rtb.DMACode) bool { return d.DMACode == number })
	if !found {
		return rtb.DMACodeAnswer{}, envelope.Unknown("DMA code", in.DMACodeID)
	}
	return rtb.DMACodeAnswer{DMACode: code}, nil
}

func (s *State) category(_ *Call, in rtb.CategoryPath) (rtb.CategoryAnswer, error) {
	category, err := findCategory(in.CategoryID)
	return rtb.CategoryAnswer{Category: category}, err
}

// findCategory returns the category with the id in a path.
func findCategory(id string) (rtb.Category, error) {
	number := parseCount(id)
	category, found := metadata.First(metadata.Categories(), func(c rtb.Category) bool { return c.ID == number })
	if !found {
		return rtb.Category{}, envelope.Unknown("category", id)
	}
	return category, nil
}

// parseCount parses a number in a path. Text that is not a number is 0, which is no id.
func parseCount(text string) rtb.Count {
	n, _ := strconv.ParseInt(text, 10, 64)
	return rtb.Count(n)
}
