package operations

import (
	"fmt"
	"slices"
	"time"

	"usher/hashing"
	"usher/internal/rtb"
)

// Call has the context of an operation: everything but its In.
type Call struct {
	Now        time.Time
	User       string // set by Authenticate and by a login
	Advertiser string // of the token
	Writes     bool   // the operation changes something
	Private    bool   // the connection uses TLS or loopback, so nobody on the network can read it

	IDs      *IDs      // the uploaded ids, if the operation takes any
	Creative *Creative // the uploaded creative, if the operation takes one

	Warnings []Note // of the answer; an operation may add some
}

// IDs is a file of ids as it was sent.
type IDs struct {
	Digests     []byte // 16 bytes each, in the order of the file, including repeats; empty if the sandbox stores fingerprints only
	Filename    string
	Fingerprint hashing.Fingerprint // of all digests: a repeat counts again
}

// Creative describes a creative's file, whose content is not stored.
type Creative struct {
	Format string // jpeg, gif, png, swf
	Bytes  int64
}

// Route is an operation of rtb's table and the function that implements it.
type Route struct {
	Operation rtb.Operation

	// Run takes the operation's In and returns its Out. The caller must hold the lock of
	// the State.
	Run func(s *State, c *Call, in any) (out any, err error)
}

// on returns the route of an operation.
func on[In, Out any](op rtb.Op[In, Out], run func(s *State, c *Call, in In) (Out, error)) Route {
	return Route{op.Operation, func(s *State, c *Call, in any) (any, error) {
		typed, ok := in.(In)
		if !ok {
			return nil, fmt.Errorf("run %s: in is a %T: this is a bug in the sandbox", op.Name, in)
		}
		return run(s, c, typed)
	}}
}

// all returns the route of an operation that lists a whole table.
func all[Out any](op rtb.Op[rtb.Nothing, Out], list func() Out) Route {
	return on(op, func(*State, *Call, rtb.Nothing) (Out, error) { return list(), nil })
}

// Routes returns the routes of all operations.
func Routes() []Route {
	return slices.Concat(accountRoutes(), audienceRoutes(), campaignRoutes(), reportRoutes(), supplyRoutes(), lookupRoutes())
}

func accountRoutes() []Route {
	return []Route{
		on(rtb.AuthToken, (*State).login),

		on(rtb.UsersPut, (*State).putUser),
		on(rtb.UsersGet, (*State).getUser),
		on(rtb.UsersDelete, (*State).deleteUser),

		on(rtb.AdvertisersCreate, (*State).createAdvertiser),
		on(rtb.AdvertisersList, (*State).listAdvertisers),
		on(rtb.AdvertisersGet, (*State).getAdvertiser),
		on(rtb.AdvertisersUpdate, (*State).updateAdvertiser),
		on(rtb.AdvertisersDelete, (*State).deleteAdvertiser),
		on(rtb.AdvertisersLink, (*State).linkUser),
		on(rtb.AdvertisersUsers, (*State).advertiserUsers),
		on(rtb.AdvertisersConnections, (*State).connections),
		on(rtb.AdvertisersUnlink, (*State).unlinkUser),
		on(rtb.AdvertisersBlocklist, (*State).blocklist),
		on(rtb.AdvertisersBlock, (*State).blockDomain),
		on(rtb.AdvertisersUnblock, (*State).unblockDomain),

		on(rtb.PaymentsCreate, (*State).pay),
	}
}

func audienceRoutes() []Route {
	return []Route{
		on(rtb.SegmentsCreate, (*State).createSegment),
		on(rtb.SegmentsList, (*State).listSegments),
		on(rtb.SegmentsGet, (*State).getSegment),
		on(rtb.SegmentsByType, (*State).segmentsByType),
		on(rtb.SegmentsUpdate, (*State).updateSegment),
		on(rtb.SegmentsDelete, (*State).deleteSegment),
		on(rtb.SegmentsContains, (*State).segmentContains),
		on(rtb.SegmentsAddUser, (*State).addSegmentUser),
		on(rtb.SegmentsRemoveUser, (*State).removeSegmentUser),
		on(rtb.SegmentsUpload, (*State).uploadSegment),
	}
}

func campaignRoutes() []Route {
	return []Route{
		on(rtb.CampaignsPut, (*State).putCampaign),
		on(rtb.CampaignsLock, (*State).lockCampaign),
		on(rtb.CampaignsUnlock, (*State).unlockCampaign),
		on(rtb.CampaignsList, (*State).listCampaigns),
		on(rtb.CampaignsGet, (*State).getCampaign),
		on(rtb.CampaignsGetCreative, (*State).getCreative),

		on(rtb.CampaignsMobileTargets, (*State).mobileTargets),
		on(rtb.CampaignsAddMobileTargets, (*State).addMobileTargets),
		on(rtb.CampaignsClearMobileTargets, (*State).clearMobileTargets),
		on(rtb.CampaignsAddUserTargets, (*State).addUserTargets),
		on(rtb.CampaignsUserTargets, (*State).userTargets),
		on(rtb.CampaignsClearUserTargets, (*State).clearUserTargets),

		on(rtb.CreativesPush, (*State).pushCreative),
		on(rtb.CreativesPull, (*State).pullCreative),

		on(rtb.CampaignsStatus, (*State).campaignStatus),
		on(rtb.CreativesStatus, (*State).creativeStatus),
		on(rtb.CreativesSetStatus, (*State).setCreativeStatus),
		on(rtb.CampaignsSetStatus, (*State).setCampaignStatus),
	}
}

func reportRoutes() []Route {
	return []Route{
		on(rtb.ReportingBilling, (*State).reportBilling),
		on(rtb.ReportingBillingSummary, (*State).summarizeBilling),
		on(rtb.ReportingTransactions, (*State).reportTransactions),
		on(rtb.ReportingCampaigns, (*State).reportCampaigns),
		on(rtb.ReportingCampaign, (*State).reportCampaign),

		on(rtb.PlanningDomains, (*State).planDomains),
		on(rtb.PlanningDomainsByDevice, (*State).planDevices),
		on(rtb.PlanningGeos, (*State).planGeos),
	}
}

func supplyRoutes() []Route {
	return []Route{
		on(rtb.SSPPutPublisher, (*State).putPublisher),
		on(rtb.SSPPublisher, (*State).getPublisher),
		on(rtb.SSPPutAdslot, (*State).putAdslot),
		on(rtb.SSPAdslot, (*State).getAdslot),
	}
}

func lookupRoutes() []Route {
	return []Route{
		all(rtb.MetadataCountries, func() rtb.CountriesAnswer { return rtb.CountriesAnswer{Countries: countries()} }),
		all(rtb.MetadataStates, func() rtb.StatesAnswer { return rtb.StatesAnswer{States: states()} }),
		on(rtb.MetadataCities, (*State).findCities),
		all(rtb.MetadataZIPCodes, func() rtb.ZIPCodesAnswer { return rtb.ZIPCodesAnswer{ZIPCodes: zipCodes()} }),
		on(rtb.MetadataZIPCode, (*State).zipCode),
		all(rtb.MetadataDMACodes, func() rtb.DMACodesAnswer { return rtb.DMACodesAnswer{DMACodes: dmaCodes()} }),
		on(rtb.MetadataDMACode, (*State).dmaCode),
		all(rtb.MetadataCategories, func() rtb.CategoriesAnswer { return rtb.CategoriesAnswer{Categories: categories()} }),
		on(rtb.MetadataCategory, (*State).category),
		on(rtb.MetadataSites, (*State).sites),
		on(rtb.MetadataSite, (*State).site),
		all(rtb.MetadataCurrencies, func() rtb.CurrenciesAnswer { return rtb.CurrenciesAnswer{Currencies: currencies()} }),
		on(rtb.MetadataFX, (*State).fx),
		on(rtb.MetadataFXOn, (*State).fxOn),
		all(rtb.MetadataOSes, func() rtb.OSesAnswer { return rtb.OSesAnswer{OSes: operatingSystems()} }),
		all(rtb.MetadataBrowsers, func() rtb.BrowsersAnswer { return rtb.BrowsersAnswer{Browsers: browsers()} }),
		all(rtb.MetadataDevices, func() rtb.DevicesAnswer { return rtb.DevicesAnswer{Devices: devices()} }),
		all(rtb.MetadataCombinations, combinations),
		all(rtb.MetadataLanguages, func() rtb.LanguagesAnswer { return rtb.LanguagesAnswer{Languages: languages()} }),
		all(rtb.MetadataThirdPartySegments, func() rtb.ThirdPartySegmentsAnswer {
			return rtb.ThirdPartySegmentsAnswer{Segments: thirdPartySegments()}
		}),
		all(rtb.MetadataMobileOperators, func() rtb.MobileOperatorsAnswer {
			return rtb.MobileOperatorsAnswer{MobileOperators: mobileOperators()}
		}),
	}
}
