package console

import "net/http"

// handler serves a request of an authorized user.
type handler func(w http.ResponseWriter, req *http.Request, user User) error

// route is one operation of the API.
type route struct {
	method, path string
	role         Role   // the lowest role that may use it
	about        string // what it does, and its parameters
	handle       handler
}

// routes returns the whole API. The mux is built from this table, and a test checks that
// every route in it is refused without its role, session and token.
func routes(c *Console) []route {
	return []route{
		{"GET", "/api/session", Anyone, "the current session and the ways to log in", jsonHandler(c.session)},
		{"POST", "/api/login", Anyone, "log in by name and password", c.loginPassword},
		{"POST", "/api/login/link", Anyone, "log in by the one-time link", c.loginLink},
		{"POST", "/api/login/proxy", Anyone, "log in through a trusted proxy", c.loginProxy},
		{"POST", "/api/logout", Viewer, "end the session", c.logout},

		{"GET", "/api/live", Viewer, "changed topics, as server-sent events", c.serveLive},
		{"GET", "/api/overview", Viewer, "the overview", jsonHandler(c.overview)},

		{"GET", "/api/jobs", Viewer, "jobs: state, kind, text, from, limit", jsonHandler(c.jobs)},
		{"GET", "/api/jobs/{id}", Viewer, "a job with its history and parts", jsonHandler(c.job)},
		{"POST", "/api/jobs/{id}/cancel", Operator, "cancel a job", jsonHandler(c.cancelJob)},

		{"GET", "/api/letters", Viewer, "dead letters: id, kind, class, group, match, since, until, after, limit", jsonHandler(c.letters)},
		{"GET", "/api/letters/groups", Viewer, "dead letters by cause, the same filters", jsonHandler(c.groups)},
		{"GET", "/api/letters/plan", Viewer, "the plan of a replay: the same filters, seqs and force", jsonHandler(c.plan)},
		{"POST", "/api/letters/replay", Operator, "replay matching letters", jsonHandler(c.replay)},
		{"POST", "/api/letters/discard", Operator, "discard matching letters", jsonHandler(c.discard)},
		{"POST", "/api/letters/edit", Operator, "edit the jobs of matching letters, or report what would change", jsonHandler(c.edit)},
		{"GET", "/api/replays", Viewer, "replays since the start of this process", jsonHandler(c.listReplays)},
		{"POST", "/api/replays/{id}/stop", Operator, "stop a replay", jsonHandler(c.stopReplay)},

		{"GET", "/api/campaigns", Viewer, "the campaigns' codes", jsonHandler(c.campaigns)},
		{"GET", "/api/campaigns/{code}", Viewer, "creatives, lock and history of a campaign", jsonHandler(c.campaign)},
		{"POST", "/api/campaigns/{code}/pause", Operator, "pause creatives, with a reason", jsonHandler(c.changeCampaign)},
		{"POST", "/api/campaigns/{code}/resume", Operator, "resume creatives, with a reason", jsonHandler(c.changeCampaign)},

		{"GET", "/api/rules", Viewer, "the rules, their newest runs, the stop switch", jsonHandler(c.rules)},
		{"GET", "/api/rules/backtest", Viewer, "evaluate a rule file on past days: file, from, to", c.backtest},
		{"GET", "/api/rules/why/{creative}", Viewer, "the history of a creative", jsonHandler(c.why)},
		{"GET", "/api/rules/runs/{id}", Viewer, "a run and its decisions", jsonHandler(c.run)},
		{"POST", "/api/rules/runs/{id}/approve", Operator, "carry out the held decisions of a run", jsonHandler(c.approve)},
		{"POST", "/api/rules/runs/{id}/reject", Operator, "reject the held decisions of a run", jsonHandler(c.reject)},
		{"POST", "/api/rules/runs/{id}/undo", Operator, "undo the changes of a run, with a reason", jsonHandler(c.undo)},

		{"POST", "/api/lanes/{lane}/pause", Admin, "pause a lane, with a reason", jsonHandler(c.setLane)},
		{"POST", "/api/lanes/{lane}/resume", Admin, "resume a lane, with a reason", jsonHandler(c.setLane)},
		{"POST", "/api/limit", Admin, "set the calls per second (0: as configured), with a reason", jsonHandler(c.setLimit)},
		{"POST", "/api/stop", Operator, "stop all campaign actions, with a reason", jsonHandler(c.stopActions)},
		{"POST", "/api/start", Admin, "start campaign actions again", jsonHandler(c.startActions)},

		{"GET", "/api/audit", Viewer, "the audit: campaign, creative, actor, rule, job, match, since, until, limit", jsonHandler(c.audit)},
		{"GET", "/api/audit/export", Viewer, "the audit as a file: format ndjson or csv", c.exportAudit},
	}
}
