package sandbox

import (
	"slices"

	"usher/internal/rtb"
)

// routes says which function does which operation of rtb's table.
func routes() []route {
	return slices.Concat(accountRoutes(), audienceRoutes(), campaignRoutes(), otherRoutes(), lookupRoutes())
}

func accountRoutes() []route {
	return []route{
		on(rtb.AuthToken, (*world).login),

		on(rtb.UsersPut, (*world).putUser),
		on(rtb.UsersGet, (*world).getUser),
		on(rtb.UsersDelete, (*world).deleteUser),

		on(rtb.AdvertisersCreate, (*world).createAdvertiser),
		on(rtb.AdvertisersList, (*world).listAdvertisers),
		on(rtb.AdvertisersGet, (*world).getAdvertiser),
		on(rtb.AdvertisersUpdate, (*world).updateAdvertiser),
		on(rtb.AdvertisersDelete, (*world).deleteAdvertiser),
		on(rtb.AdvertisersLink, (*world).linkUser),
		on(rtb.AdvertisersUsers, (*world).advertiserUsers),
		on(rtb.AdvertisersConnections, (*world).connections),
		on(rtb.AdvertisersUnlink, (*world).unlinkUser),
		on(rtb.AdvertisersBlocklist, (*world).blocklist),
		on(rtb.AdvertisersBlock, (*world).blockDomain),
		on(rtb.AdvertisersUnblock, (*world).unblockDomain),
	}
}

func audienceRoutes() []route {
	return []route{
		on(rtb.SegmentsCreate, (*world).createSegment),
		on(rtb.SegmentsList, (*world).listSegments),
		on(rtb.SegmentsGet, (*world).getSegment),
		on(rtb.SegmentsByType, (*world).segmentsByType),
		on(rtb.SegmentsUpdate, (*world).updateSegment),
		on(rtb.SegmentsDelete, (*world).deleteSegment),
		on(rtb.SegmentsContains, (*world).segmentContains),
		on(rtb.SegmentsAddUser, (*world).addSegmentUser),
		on(rtb.SegmentsRemoveUser, (*world).removeSegmentUser),
		on(rtb.SegmentsUpload, (*world).uploadSegment),
	}
}

func campaignRoutes() []route {
	return []route{
		on(rtb.CampaignsPut, (*world).putCampaign),
		on(rtb.CampaignsLock, (*world).lockCampaign),
		on(rtb.CampaignsUnlock, (*world).unlockCampaign),
		on(rtb.CampaignsList, (*world).listCampaigns),
		on(rtb.CampaignsGet, (*world).getCampaign),
		on(rtb.CampaignsGetCreative, (*world).getCreative),

		on(rtb.CampaignsMobileTargets, (*world).mobileTargets),
		on(rtb.CampaignsAddMobileTargets, (*world).addMobileTargets),
		on(rtb.CampaignsClearMobileTargets, (*world).clearMobileTargets),
		on(rtb.CampaignsAddUserTargets, (*world).addUserTargets),
		on(rtb.CampaignsUserTargets, (*world).userTargets),
		on(rtb.CampaignsClearUserTargets, (*world).clearUserTargets),

		on(rtb.CreativesPush, (*world).pushCreative),
		on(rtb.CreativesPull, (*world).pullCreative),

		on(rtb.CampaignsStatus, (*world).campaignStatus),
		on(rtb.CreativesStatus, (*world).creativeStatus),
		on(rtb.CreativesSetStatus, (*world).setCreativeStatus),
		on(rtb.CampaignsSetStatus, (*world).setCampaignStatus),
	}
}

// otherRoutes are those of what surrounds campaigns.
func otherRoutes() []route {
	return []route{
		on(rtb.ReportingBilling, (*world).reportBilling),
		on(rtb.ReportingBillingSummary, (*world).summarizeBilling),
		on(rtb.ReportingTransactions, (*world).reportTransactions),
		on(rtb.ReportingCampaigns, (*world).reportCampaigns),
		on(rtb.ReportingCampaign, (*world).reportCampaign),

		on(rtb.PlanningDomains, (*world).planDomains),
		on(rtb.PlanningDomainsByDevice, (*world).planDevices),
		on(rtb.PlanningGeos, (*world).planGeos),

		on(rtb.SSPPutPublisher, (*world).putPublisher),
		on(rtb.SSPPublisher, (*world).getPublisher),
		on(rtb.SSPPutAdslot, (*world).putAdslot),
		on(rtb.SSPAdslot, (*world).getAdslot),

		on(rtb.PaymentsCreate, (*world).pay),
	}
}

func lookupRoutes() []route {
	return []route{
		all(rtb.MetadataCountries, countries),
		all(rtb.MetadataStates, states),
		list(rtb.MetadataCities, findCities),
		all(rtb.MetadataZIPCodes, zipCodes),
		on(rtb.MetadataZIPCode, (*world).zipCode),
		all(rtb.MetadataDMACodes, dmaCodes),
		on(rtb.MetadataDMACode, (*world).dmaCode),
		all(rtb.MetadataCategories, categories),
		on(rtb.MetadataCategory, (*world).category),
		on(rtb.MetadataSites, (*world).sites),
		on(rtb.MetadataSite, (*world).site),
		all(rtb.MetadataCurrencies, currencies),
		on(rtb.MetadataFX, (*world).fx),
		on(rtb.MetadataFXOn, (*world).fxOn),
		all(rtb.MetadataOSes, operatingSystems),
		all(rtb.MetadataBrowsers, browsers),
		all(rtb.MetadataDevices, devices),
		all(rtb.MetadataCombinations, combinations),
		all(rtb.MetadataLanguages, languages),
		all(rtb.MetadataThirdPartySegments, thirdPartySegments),
		all(rtb.MetadataMobileOperators, mobileOperators),
	}
}
