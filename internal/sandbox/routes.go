package sandbox

import "usher/internal/rtb"

// routes says which function does which operation of rtb's table.
func routes() []route {
	return []route{
		on(rtb.AuthToken, (*world).login),

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

		on(rtb.CampaignsStatus, (*world).campaignStatus),
		on(rtb.CreativesStatus, (*world).creativeStatus),
		on(rtb.CreativesSetStatus, (*world).setCreativeStatus),
		on(rtb.CampaignsSetStatus, (*world).setCampaignStatus),
	}
}
