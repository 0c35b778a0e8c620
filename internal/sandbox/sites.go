package sandbox

import (
	"hash/fnv"
	"net/url"
	"strings"
	"time"

	"usher/internal/rtb"
)

// sitesOf are the publishers' sites of a category: a sub-category has those of
// the category above it, at weights of its own. Visits are made up.
func sitesOf(category rtb.Category, now time.Time) []rtb.Site {
	top := category.ID
	if category.ParentID != 0 {
		top = category.ParentID
	}
	list, id := []rtb.Site{}, rtb.Count(0)
	for line := range linesOf("sites.tsv") {
		id++
		if whole(line[0]) != top {
			continue
		}
		h := mix(line[1], category.Name)
		list = append(list, rtb.Site{
			ID: id, Site: line[1], Weight: float64(h%100+1) / 100, Visits: rtb.Count(10_000 + h/100%990_000),
			LastVisit: stamp(now.Add(-time.Duration(h%3600) * time.Second)),
		})
	}
	return list
}

// mix makes a number of texts: the same on every run, so that what is made up
// from it can be asked for twice.
func mix(texts ...string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(texts, "\n"))) // never fails
	sum := h.Sum64()
	sum ^= sum >> 33 // texts that differ in the last letter only are far apart
	sum *= 0xff51afd7ed558ccd
	sum ^= sum >> 33
	return sum
}

func (w *world) sites(c *call, in rtb.CategoryPath) (rtb.SitesAnswer, error) {
	category, err := findCategory(in.CategoryID)
	if err != nil {
		return rtb.SitesAnswer{}, err
	}
	return rtb.SitesAnswer{Sites: sitesOf(category, c.now)}, nil
}

func (w *world) site(c *call, in rtb.SitePath) (rtb.SiteAnswer, error) {
	category, err := findCategory(in.CategoryID)
	if err != nil {
		return rtb.SiteAnswer{}, err
	}
	host := siteHost(in.Site)
	for _, site := range sitesOf(category, c.now) {
		if site.Site == host {
			return rtb.SiteAnswer{Site: site}, nil
		}
	}
	return rtb.SiteAnswer{}, unknown("site", in.Site)
}

// siteHost is the host of a site, which may be given as a URL.
func siteHost(site string) string {
	if !strings.Contains(site, "://") {
		site = "http://" + site
	}
	u, err := url.Parse(site)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}
