package sandbox

import (
	"bufio"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"usher/internal/rtb"
)

// metadata are the tables of the lookups: a record a line, fields by tabs, the
// large ones compressed. metadata/SOURCES.md says where they come from.
//
//go:embed metadata/*.tsv metadata/*.tsv.gz
var metadata embed.FS

// linesOf yields the records of a table. It holds no more than a line.
func linesOf(name string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		if err := eachLine(name, yield); err != nil {
			panic(fmt.Sprintf("sandbox: read table %s: %v", name, err)) // embedded, and read whole by a test
		}
	}
}

func eachLine(name string, yield func([]string) bool) error {
	file, err := metadata.Open("metadata/" + name)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // in memory
	var text io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if text, err = gzip.NewReader(file); err != nil {
			return err
		}
	}
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		if !yield(strings.Split(lines.Text(), "\t")) {
			return nil
		}
	}
	return lines.Err()
}

// records makes each line of a table a record.
func records[Record any](name string, of func(line []string) Record) iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for line := range linesOf(name) {
			if !yield(of(line)) {
				return
			}
		}
	}
}

// first is the first record that fits.
func first[Record any](list iter.Seq[Record], fits func(Record) bool) (Record, bool) {
	for record := range list {
		if fits(record) {
			return record, true
		}
	}
	var none Record
	return none, false
}

// whole reads a number of a table; an empty field is 0.
func whole(text string) rtb.Count {
	n, _ := strconv.ParseInt(text, 10, 64) // the tables' numbers are numbers: a test reads them all
	return rtb.Count(n)
}

func countries() iter.Seq[rtb.Country] {
	return records("countries.tsv", func(f []string) rtb.Country {
		return rtb.Country{CountryCode: f[0], CountryName: f[1], RegionName: f[2]}
	})
}

func states() iter.Seq[rtb.State] {
	return records("states.tsv", func(f []string) rtb.State { return rtb.State{StateCode: f[0], StateName: f[1]} })
}

// cities are in the order of their countries' codes.
func cities() iter.Seq[rtb.City] {
	return records("cities.tsv.gz", func(f []string) rtb.City { return rtb.City{CountryCode: f[0], City: f[1]} })
}

func zipCodes() iter.Seq[rtb.ZIPCode] {
	return records("zipcodes.tsv.gz", func(f []string) rtb.ZIPCode { return rtb.ZIPCode{ZIPCode: f[0], PrimaryCity: f[1], State: f[2]} })
}

func dmaCodes() iter.Seq[rtb.DMACode] {
	return records("dma.tsv", func(f []string) rtb.DMACode { return rtb.DMACode{DMACode: whole(f[0]), DMARegion: f[1]} })
}

func categories() iter.Seq[rtb.Category] {
	return records("categories.tsv", func(f []string) rtb.Category {
		return rtb.Category{ID: whole(f[0]), Name: f[1], ParentID: whole(f[2])}
	})
}

func currencies() iter.Seq[rtb.Currency] {
	return records("currencies.tsv", func(f []string) rtb.Currency { return rtb.Currency{Code: f[0], Name: f[1]} })
}

func languages() iter.Seq[rtb.Language] {
	return records("languages.tsv", func(f []string) rtb.Language { return rtb.Language{Code: f[0], Name: f[1]} })
}

func operatingSystems() iter.Seq[rtb.OperatingSystem] {
	return records("systems.tsv", func(f []string) rtb.OperatingSystem {
		return rtb.OperatingSystem{OSName: f[0], OSFamily: f[1], OSMajorVersion: f[2], OSMinorVersion: f[3]}
	})
}

func browsers() iter.Seq[rtb.Browser] {
	return records("browsers.tsv", func(f []string) rtb.Browser {
		return rtb.Browser{BrowserName: f[0], BrowserFamily: f[1], BrowserMajorVersion: f[2], BrowserMinorVersion: f[3]}
	})
}

func devices() iter.Seq[rtb.Device] {
	return records("devices.tsv", func(f []string) rtb.Device {
		return rtb.Device{DeviceName: f[0], DeviceFamily: f[1], DeviceMajorVersion: f[2], DeviceMinorVersion: f[3]}
	})
}

func thirdPartySegments() iter.Seq[rtb.ThirdPartySegment] {
	return records("segments.tsv", func(f []string) rtb.ThirdPartySegment {
		return rtb.ThirdPartySegment{SegmentCode: f[0], SegmentVendor: f[1], SegmentName: f[2]}
	})
}

func mobileOperators() iter.Seq[rtb.MobileOperator] {
	return records("operators.tsv", func(f []string) rtb.MobileOperator { return rtb.MobileOperator{Name: f[0]} })
}
