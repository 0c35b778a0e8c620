package console

import "net/http"

// handler serves a request of an authorized user.
type handler func(w http.ResponseWriter, req *http.Request, user User) error

// route is one operation of the API.
type route struct {
	method, path string
	role         Role   // the lowest role that may use it
	needs        need   // the services that it reads from; it fails when one of them is lost
	about        string // what it does, and its parameters
	handle       handler
}

// routes returns the whole API. The mux is built from this table, and a test checks that
// every route in it is refused without its role, session and token.
func routes(c *Console) []route {
	return []route{
		{"GET", "/api/session", Anyone, 0, "the current session and the ways to log in", jsonHandler(c.session)},
		{"POST", "/api/login", Anyone, 0, "log in by name and password", c.loginPassword},
		{"POST", "/api/login/link", Anyone, 0, "log in by the one-time link", c.loginLink},
		{"POST", "/api/login/proxy", Anyone, 0, "log in through a trusted proxy", c.loginProxy},
		{"POST", "/api/logout", Viewer, 0, "end the session", c.logout},

		{"GET", "/api/live", Viewer, 0, "changed topics, as server-sent events", c.serveLive},
		{"GET", "/api/health", Viewer, 0, "the state of NATS, Redis, the platform and the workers; `ok` says of each service whether it works, and if not, `since`, `says`, `why` and `hint` say more; of what is not known, there is only `why`", jsonHandler(c.health)},
		{"GET", "/api/overview", Viewer, needsNATS, "the overview", jsonHandler(c.overview)},

		{"GET", "/api/jobs", Viewer, needsNATS, "jobs: state, kind, target, text, since, until, after, limit", jsonHandler(c.jobs)},
		{"GET", "/api/jobs/{id}", Viewer, needsNATS, "a job with its history and parts", jsonHandler(c.job)},
		{"POST", "/api/jobs/cancel", Operator, 0, "cancel several jobs", jsonHandler(c.cancelJobs)},
		{"POST", "/api/jobs/{id}/cancel", Operator, 0, "cancel a job", jsonHandler(c.cancelJob)},

		{"GET", "/api/letters", Viewer, needsNATS, "dead letters, newest first: id, kind, class, group, match, replay, since, until, after, limit", jsonHandler(c.letters)},
		{"GET", "/api/letters/groups", Viewer, needsNATS, "dead letters by cause, the same filters", jsonHandler(c.groups)},
		{"POST", "/api/letters/plan", Operator, needsNATS, "the plan of a replay: which jobs would be changed and how, which would be replayed, and which are skipped and why", jsonHandler(c.planFix)},
		{"POST", "/api/letters/replay", Operator, 0, "replay matching letters, after a change of their jobs if set names one", jsonHandler(c.replay)},
		{"POST", "/api/letters/discard", Operator, 0, "discard matching letters, or those of them that newer jobs have superseded", jsonHandler(c.discard)},
		{"POST", "/api/letters/edit", Operator, 0, "edit the jobs of matching letters, or report what would change", jsonHandler(c.edit)},
		{"GET", "/api/replays", Viewer, 0, "replays since the start of this process", jsonHandler(c.listReplays)},
		{"POST", "/api/replays/{id}/stop", Operator, 0, "stop a replay", jsonHandler(c.stopReplay)},

		{"GET", "/api/audiences", Viewer, needsNATS, "segments and targets: size, last change, ledger, feed, problems", jsonHandler(c.listAudiences)},
		{"GET", "/api/overlap", Viewer, needsNATS, "how many members audiences have in common: target, twice to ten times", c.overlap},
		{"GET", "/api/audiences/{target}", Viewer, needsNATS, "an audience with the history of its size and data quality, and its jobs", jsonHandler(c.audience)},
		{"POST", "/api/audiences/{target}/verify", Operator, needsNATS | needsPlatform, "compare the ledger with a sample on the platform", c.verify},
		{"POST", "/api/audiences/{target}/compare", Operator, needsNATS, "count what an export would change, as a dry run", jsonHandler(c.compare)},
		{"POST", "/api/feeds/{feed}/{act}", Operator, needsNATS, "look now, approve or reject held exports, pause or resume a feed", jsonHandler(c.changeFeed)},

		{"GET", "/api/campaigns", Viewer, needsNATS | needsPlatform, "the campaigns with their creatives, pauses, held decisions and spend", jsonHandler(c.listCampaigns)},
		{"GET", "/api/campaigns/{code}", Viewer, needsNATS | needsPlatform, "creatives, lock and history of a campaign", jsonHandler(c.campaign)},
		{"GET", "/api/campaigns/{code}/reversals", Viewer, needsNATS | needsPlatform, "the rules that would pause creatives again after a resume: creative, repeatable", jsonHandler(c.reversals)},
		{"POST", "/api/campaigns/{code}/pause", Operator, 0, "pause creatives, with a reason", jsonHandler(c.changeCampaign)},
		{"POST", "/api/campaigns/{code}/resume", Operator, 0, "resume creatives, with a reason", jsonHandler(c.changeCampaign)},

		{"GET", "/api/rules", Viewer, needsNATS, "the rules, their newest runs, the stop switch", jsonHandler(c.rules)},
		{"GET", "/api/rules/saved", Viewer, needsNATS | needsPlatform, "an estimate of what the pauses that rules have made in the last seven days have saved, by rule: `gross` by currency of so many `pauses`, and `notKnown`, of how many pauses it is not known and why", jsonHandler(c.listSaved)},
		{"GET", "/api/rules/backtest", Viewer, needsPlatform, "evaluate a rule file on past days: file, from, to", c.backtest},
		{"GET", "/api/rules/preview", Viewer, needsNATS | needsPlatform, "what the rules of a file would do now: file", c.preview},
		{"GET", "/api/rules/why/{creative}", Viewer, needsNATS, "the history of a creative, and the rules that may change it: campaign, in which it is, for one that usher has never changed", jsonHandler(c.why)},
		{"POST", "/api/rules/run", Operator, 0, "evaluate a rule file, or one rule of it, now", jsonHandler(c.runRule)},
		{"POST", "/api/rules/pause", Operator, 0, "pause a rule, with a reason: it takes no decisions", jsonHandler(c.pauseRule)},
		{"POST", "/api/rules/resume", Operator, 0, "let a paused rule decide again, with a reason", jsonHandler(c.pauseRule)},
		{"POST", "/api/rules/keep", Operator, 0, "keep rules from a creative, or a campaign's budget and bid, until a time, with a reason", jsonHandler(c.keepRules)},
		{"POST", "/api/rules/release", Operator, 0, "hand a creative, or a campaign's budget and bid, back to rules, with a reason", jsonHandler(c.releaseRules)},
		{"GET", "/api/rules/runs/{id}", Viewer, needsNATS, "a run and its decisions", jsonHandler(c.run)},
		{"GET", "/api/rules/runs/{id}/review", Viewer, needsNATS | needsPlatform, "what has become of what a run holds, by the reports as they are now, and the spend at stake", jsonHandler(c.review)},
		{"POST", "/api/rules/runs/{id}/approve", Operator, 0, "carry out the held decisions of a run, or only some", jsonHandler(c.approve)},
		{"POST", "/api/rules/runs/{id}/reject", Operator, 0, "reject the held decisions of a run", jsonHandler(c.reject)},
		{"POST", "/api/rules/runs/{id}/undo", Operator, 0, "undo the changes of a run, with a reason", jsonHandler(c.undo)},

		{"POST", "/api/lanes/{lane}/pause", Admin, 0, "pause a lane, with a reason", jsonHandler(c.setLane)},
		{"POST", "/api/lanes/{lane}/resume", Admin, 0, "resume a lane, with a reason", jsonHandler(c.setLane)},
		{"POST", "/api/limit", Admin, 0, "set the calls per second (0: as configured), with a reason", jsonHandler(c.setLimit)},
		{"GET", "/api/stop", Viewer, needsNATS, "the stop switch: `stop` with who turned it on, when and why, or null", jsonHandler(c.showStop)},
		{"POST", "/api/stop", Operator, 0, "stop all campaign actions, with a reason", jsonHandler(c.stopActions)},
		{"POST", "/api/start", Admin, 0, "start campaign actions again: `stop`, as it was shown, so that no later one is ended, and a reason, if any", jsonHandler(c.startActions)},

		{"GET", "/api/workers", Viewer, needsNATS, "the workers, and those that are gone", jsonHandler(c.listWorkers)},

		{"GET", "/api/marks", Viewer, needsNATS, "outages and starts of workers in the last day, for charts", jsonHandler(c.marks)},

		{"GET", "/api/audit", Viewer, needsNATS, "the audit: campaign, creative, actor, rule, job, match, since, until, limit", jsonHandler(c.audit)},
		{"GET", "/api/audit/export", Viewer, needsNATS, "the audit as a file: format ndjson or csv", c.exportAudit},
	}
}
