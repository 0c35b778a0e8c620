// Commands of the terminal for what people do with dead letters on pages.

const plain = /^[\w\-./,:=@%+]+$/;
const wordOf = (text) => (plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// flagsOf returns the flags of usher dead that select the letters of a filter; undefined if none do. An edit
// gives letters new numbers.
export function flagsOf({ seqs, replay, through, ...filter }) {
  if (replay) return undefined;
  if (seqs) return seqs.join(" ");
  return Object.entries(filter).filter(([, v]) => v).map(([name, v]) => `--${name} ${wordOf(String(v))}`).join(" ");
}

// targets are the fields of a job that say what it changes. A change moves its letter to another cause.
const targets = ["segment", "campaign", "advertiser"];

// commandsOf returns the commands that change fields of the jobs of letters, if there are any, and replay them.
export function commandsOf(filter, set = {}, { force, rate, reason } = {}) {
  const flags = flagsOf(filter);
  if (flags === undefined) return [];
  const why = reason ? ` --reason ${wordOf(reason)}` : "";
  const how = `${force ? " --force" : ""}${rate ? ` --rate ${rate}/s` : ""}${why}`;
  const fields = Object.entries(set);
  if (!fields.length) return [`usher dead replay ${flags}${how}`];
  const edit = `usher dead edit ${flags}${fields.map(([f, v]) => ` --set ${wordOf(`${f}=${v}`)}`).join("")}${why}`;
  const moved = filter.seqs || (!filter.id && fields.some(([f]) => targets.includes(f)));
  return moved ? [edit, `usher dead replay SEQ…${how}`] : [`${edit} && usher dead replay ${flags}${how}`];
}

// remedyCommands returns the commands for the ways that an error names, and the one that only replays.
export const remedyCommands = (filter, remedies) => [...remedies.map((r) => Object.fromEntries(r.map((a) => [a.field, a.value]))), {}].flatMap((set) => commandsOf(filter, set));
