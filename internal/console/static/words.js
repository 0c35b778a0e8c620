// What people call the things that usher's records name by codes: one table for each subject.

// causes are the classes of failures. title says what is wrong, todo what to do on the console,
// and then what follows after the hint of the error. field is the field of a job that is most likely
// changed, and value what it is likely set to.
export const causes = {
  invalid_job: { title: "Jobs are not valid", todo: "Correct the field that is wrong with Fix and replay.", then: "Correct it with Fix and replay." },
  source_missing: { title: "The export is missing", todo: "Put the export in its place and replay, or set the right file with Fix and replay.", then: "Then replay; if its name is wrong, set the right file with Fix and replay." },
  source_refused: { title: "The export may not be read", todo: "Move the export to a place that is allowed, and set its new place with Fix and replay.", then: "Then replay, or set the new place with Fix and replay." },
  source_broken: { title: "The export cannot be read", todo: "Have the export written again and replay, or say with Fix and replay how it is written.", then: "Then replay, or say with Fix and replay how it is written." },
  unauthorized: { title: "The platform refuses the login", todo: "Have the user name or password in usher's configuration corrected, then replay.", then: "Then replay." },
  forbidden: { title: "The platform forbids it", todo: "Have usher's login linked to the advertiser on the platform, then replay.", then: "Then replay." },
  not_found: { title: "The platform does not know the target", todo: "Create the target on the platform and replay, or set the right one with Fix and replay.", then: "Then replay, or set the right one with Fix and replay." },
  refused: { title: "The platform refuses the job", todo: "Read what the platform answered, and correct the job with Fix and replay.", then: "Then replay, or correct the job with Fix and replay." },
  shrink: { title: "The audience would shrink too much", todo: "If the smaller export is right, allow it with Fix and replay. Otherwise have it written again, and replay.", then: "If the smaller export is right, allow it with Fix and replay.", field: "force", value: "true" },
  changed: { title: "The export is not as it was", todo: "If the export is right, accept its differences with Fix and replay. Otherwise have it written as before, and replay.", then: "If the export is right, accept its differences with Fix and replay.", field: "acceptChange", value: "true" },
  ledger_broken: { title: "usher's list of the ids is damaged", todo: "Ask whoever runs usher to mend or drop the ledger in the terminal, then replay.", then: "Then replay." },
  too_many_rejects: { title: "Too few rows have a device id", todo: "Look at the dropped rows on the job's page. Then correct how the export is read, or allow more, with Fix and replay.", then: "Then correct the job, or allow more, with Fix and replay.", field: "maxRejectPercent" },
  exhausted: { title: "All attempts have failed", todo: "Remove the cause, then replay.", then: "Then replay." },
  poison: { title: "A worker crashed on it again and again", todo: "Report it with the worker's log. Replay once it is repaired.", then: "Replay once it is repaired." },
  deadline: { title: "The deadline has passed", todo: "Set a later deadline with Fix and replay.", then: "Set a later deadline with Fix and replay.", field: "deadline" },
};
export const causeOf = (name) => causes[name]?.title ?? name;

// kinds are the kinds of jobs, and what a job of the kind does to its target.
export const kinds = {
  "segment.add": ["Add to a segment", (of) => `Add to ${of}`],
  "segment.remove": ["Remove from a segment", (of) => `Remove from ${of}`],
  "segment.mirror": ["Make a segment equal to an export", (of) => `Make ${of} equal to an export`],
  "target.add": ["Add to a campaign's devices", (of) => `Add to ${of}`],
  "target.replace": ["Replace a campaign's devices", (of) => `Replace ${of}`],
  "target.clear": ["Clear a campaign's devices", (of) => `Clear ${of}`],
  "target.mirror": ["Make a campaign's devices equal to an export", (of) => `Make ${of} equal to an export`],
  "campaign.pause": ["Pause creatives", (of) => `Pause creatives of ${of}`],
  "campaign.resume": ["Resume creatives", (of) => `Resume creatives of ${of}`],
  "campaign.budget": ["Set a campaign's daily budget", (of) => `Set the daily budget of ${of}`],
  "campaign.bid": ["Set a campaign's maximum bid", (of) => `Set the maximum bid of ${of}`],
  "rules.evaluate": ["Run rules", (of) => `Run ${of}`],
  "device.forget": ["Forget devices", () => "Forget devices"],
};
const kindOf = (name) => kinds[name]?.[0] ?? name;

// nameOf returns what people call a target: "iOS customers (17)", or "segment 17" if its name is not known,
// "devices of SANDBOX1-summer"; "" for one that was removed because it may hold an id.
export const nameOf = (target, name) => (/\(removed\)/.test(target) ? "" : name ? `${name} (${target.replace(/^segment /, "")})` : target ?? "").replace(/^target /, "devices of ").replace(/^campaign /, "");

// doing says what a job does: "Add to iOS customers (17)".
export const doing = (kind, target, name) => (kinds[kind] && /\S \S/.test(target ?? "") && nameOf(target) ? kinds[kind][1](nameOf(target, name)) : kindOf(kind));

// meanings say what is counted. They are the same on every page, in the commands and in the
// metrics.
export const meanings = {
  queued: "Jobs that no worker has begun. A replayed job waits here again.",
  running: "Jobs that a worker carries out now.",
  retrying: "Jobs whose last attempt failed, and whose next attempt has a time.",
  done: "Jobs that have ended, with every row counted.",
  failed: "Jobs whose last run has failed, whether or not their dead letters were discarded since.",
  cancelled: "Jobs that were ended by a person. What the platform had taken before stays there.",
  letters: "Failed jobs that wait for a person: neither replayed nor discarded.",
  rows: "Rows that all workers have read, per second, over the last ten seconds.",
  taken: "Jobs of this lane that run, or wait for their next attempt.",
  waiting: "Jobs of this lane that no worker has taken, or that were given back.",
  read: "Rows that were read from the export, whatever became of them.",
  new: "Accepted ids that were no members of the audience before the job, by its ledger.",
  accepted: "Rows whose ids the platform has accepted; in a dry run, those that would be sent.",
  ids: "Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last job.",
  change: "Ids that the last job which changed the audience has added and removed.",
  quality: "Rows of the last export that name no device, in percent of the rows read.",
  open: "Jobs of this audience that have not ended: queued, running, or waiting for their next attempt.",
  saved: "Spend of the days on which a creative would have been paused.",
  pauses: "Creatives that the rules would have paused.",
  held: "Changes that a limit or a guard would have held back.",
  missed: "Clicks and impressions of the days on which a creative would have been paused.",
};

// statuses are the platform's words for creatives.
export const statuses = { ACTIVE: "active", INACTIVE: "paused", PENDING: "waits for the platform's approval" };
// What else the audit says of a creative or number: people keep rules from it, and hand it back.
const handedBack = { released: "rules may change it" };
export const statusOf = (name) => statuses[name] ?? handedBack[name] ?? name;

// reasons are why rows of an export are dropped.
const reasons = {
  zero_id: "zero id", shared_id: "id that many devices share", other_id: "IMEI or MAC address", placeholder: "placeholder, such as null",
  macro: "macro that was not filled in", header: "repeated header", empty: "empty cell", spreadsheet: "changed by a spreadsheet",
  shape: "no id of a known shape", looks_hashed: "looks hashed", sha1: "SHA-1 hash", sha256: "SHA-256 hash", wrong_type: "id of another type", malformed: "cannot be parsed",
};
export const reasonOf = (name) => reasons[name] ?? name.replaceAll("_", " ");

// numbers are the numbers of a campaign that rules change.
export const numbers = { budget: "daily budget", bid: "maximum bid" };

// fields are the fields of a job.
const fields = {
  segment: "Segment", campaign: "Campaign", profile: "Kind of ids", advertiser: "Advertiser",
  "source.url": "File", "source.column": "Column of ids", "source.typeColumn": "Column of types", "source.only": "Only rows with", "source.disregard": "Columns that decide nothing", input: "Form of the ids", "source.delimiter": "Delimiter",
  "source.encoding": "Encoding", "source.format": "Format", "source.sheet": "Sheet", "source.skip": "Lines to skip", "source.quote": "Quotes", "source.escape": "Escapes",
  "source.ids": "Ids", "source.doneMarker": "Marker of a complete export", "source.compression": "Compression", "source.cut": "Read in parts",
  "source.version": "Version of the file", "source.incompleteLastRow": "If the last row is cut off", "source.anyVersion": "UUIDs of any version",
  reason: "Reason", actor: "By", deadline: "Deadline", asOf: "As of", rules: "Rule file", rule: "Rule", creatives: "Creatives", force: "Although it removes more than is allowed", dryRun: "Sends nothing",
  acceptChange: "Differences accepted", maxShift: "Shift of reasons allowed, in percent", maxRemovePercent: "Removals allowed, in percent", maxRejectPercent: "Rejected rows allowed, in percent", maxShrinkPercent: "Shrinking allowed, in percent", maxMalformedPercent: "Unreadable rows allowed, in percent",
};
export const fieldOf = (name) => fields[name] ?? name;

// plain returns a message without the operation of the platform's interface that has failed, and
// with the names that people call fields and reasons.
export const plain = (message) => message.replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /, "")
  .replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g, (_, reason) => reasonOf(reason))
  .replace(/\bwithheld\.(\S+?)(?=:?(?:\s|$))/g, "left out by $1")
  .replace(/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g, (all, before, path) => (fields[path.replaceAll("/", ".")] ? `${before}“${fields[path.replaceAll("/", ".")]}”` : all));

// modes are what rules do when they decide something.
const modes = { act: "acts", approve: "asks first", notify: "notifies", observe: "only records" };
export const modeOf = (name) => modes[name] ?? name;

const command = /\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b|"(force|acceptChange)": true/;
const separator = /([;.:] )/;

// namesCommand reports whether a text names a command other than the edit of a letter.
export const namesCommand = (text) => /\busher (?!dead edit)[a-z]/.test(text);

// withoutCommands returns a text of usher without what can only be done in the terminal: clauses
// that name a command.
export function withoutCommands(text) {
  if (!command.test(text)) return text;
  const parts = text.replace(/ ?\(([^()]*)\)/g, (all, inside) => (command.test(inside) ? "" : all))
    .replace(/, see [^,;]*/g, (all) => (command.test(all) ? "" : all)).split(separator);
  let out = "";
  let dropped = false;
  for (let i = 0; i < parts.length; i += 2) {
    dropped = command.test(parts[i]) || dropped && parts[i - 1] === ": "; // what it would have explained
    if (!dropped) out += (out && parts[i - 1]) + parts[i];
  }
  return out.replace(/^(or|and|then) /, "").replace(/[;:.\s]+$/, "");
}

const named = new RegExp(Object.keys(fields).filter((f) => /[.A-Z]/.test(f)).sort((a, b) => b.length - a.length).map((f) => `(?:--set |--)?(?<!job\\.)\\b${f.replace(".", "\\.")}\\b`).join("|"), "g");

// withTitles splits a text at the names of fields, and gives each its title. Those of a feed's job keep their names,
// by which the feed's file has them.
export function withTitles(text) {
  const out = [];
  let from = 0;
  for (const m of text.matchAll(named)) {
    const name = m[0].replace(/^--(set )?/, "");
    out.push(text.slice(from, m.index), { name, title: fields[name] });
    from = m.index + m[0].length;
  }
  return [...out, text.slice(from)];
}

// guards are what holds a decision back. That of an approval is none: it waits.
export const guards = {
  observe: "mode: observe", disabled: "actions of the configuration", kept: "a person", hands_off: "a change that somebody else made", pending: "the platform's approval",
  pause_wanted: "another rule", decrease_wanted: "another rule", bound: "its min or max", cooldown: "cooldown", flips: "max_flips_per_day",
  keep_active: "keep_active", cap: "its limits", stop: "the stop switch",
};

// leftAlone says why decisions that nothing holds change nothing, by their guard.
export const leftAlone = {
  kept: "kept by people", hands_off: "left alone because others paused or changed them", pending: "not approved by the platform", pause_wanted: "not resumed because of another rule",
  decrease_wanted: "not increased because of another rule", bound: "at min or max",
};

// lifted are the guards that an approval lifts. What another guard holds, it does not carry out.
const lifted = ["cap", "approval"];
export const isApprovable = (d) => d.action === "held" && lifted.includes(d.guard);
// countApprovable returns how many held decisions of a run an approval carries out. Runs of older
// versions have no guards.
export const countApprovable = (run) => (run.approvals?.length && run.state !== "approved" ? run.approvals.at(-1).waiting.length + (run.leftOut?.length ?? 0) : run.guards ? lifted.reduce((n, guard) => n + (run.guards[guard] ?? 0), 0) : (run.counts?.held ?? 0));
