package operations

import (
	"slices"

	"usher/internal/rtb"
	"usher/internal/sandbox/metadata"
)

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
		all(rtb.MetadataCountries, metadata.Countries),
		all(rtb.MetadataStates, metadata.States),
		list(rtb.MetadataCities, findCities),
		all(rtb.MetadataZIPCodes, metadata.ZIPCodes),
		on(rtb.MetadataZIPCode, (*State).zipCode),
		all(rtb.MetadataDMACodes, metadata.DMACodes),
		on(rtb.MetadataDMACode, (*State).dmaCode),
		all(rtb.MetadataCategories, metadata.Categories),
		on(rtb.MetadataCategory, (*State).category),
		on(rtb.MetadataSites, (*State).sites),
		on(rtb.MetadataSite, (*State).site),
		all(rtb.MetadataCurrencies, metadata.Currencies),
		on(rtb.MetadataFX, (*State).fx),
		on(rtb.MetadataFXOn, (*State).fxOn),
		all(rtb.MetadataOSes, metadata.OperatingSystems),
		all(rtb.MetadataBrowsers, metadata.Browsers),
		all(rtb.MetadataDevices, metadata.Devices),
		all(rtb.MetadataCombinations, metadata.Combinations),
		all(rtb.MetadataLanguages, metadata.Languages),
		all(rtb.MetadataThirdPartySegments, metadata.ThirdPartySegments),
		all(rtb.MetadataMobileOperators, metadata.MobileOperators),
	}
}
