// The console's frame: navigation, the logged-in user, and the page for the current route.
import "./vendor/uplot.css";
import "./style/base.css";
import "./style/frame.css";
import "./style/parts.css";
import "./style/print.css";
import { html, render, useEffect, useState } from "./ui.js";
import { closeLive, onExpired, openLive, post, readSession, session, useData } from "./api.js";
import { number, plural } from "./format.js";
import { icons } from "./icons.js";
import { Keys } from "./keys.js";
import { Page, Toasts } from "./parts.js";
import { here, useRoute } from "./route.js";
import { isUTC, setUTC, zone } from "./time.js";
import { isDark, onTheme, restoreSettings, toggleTheme } from "./settings.js";
import { StatusLine, useStatus } from "./status.js";
import { Login } from "./pages/login.js";
import { Overview } from "./pages/overview.js";
import { Jobs } from "./pages/jobs.js";
import { Job } from "./pages/job.js";
import { Letters } from "./pages/letters.js";
import { Audience } from "./pages/audience.js";
import { Audiences, Feeds } from "./pages/audiences.js";
import { Overlaps } from "./pages/overlaps.js";
import { Board } from "./pages/board.js";
import { Campaign } from "./pages/campaigns.js";
import { Rules } from "./pages/rules.js";
import { Audit } from "./pages/audit.js";

const pages = [
  ["", "Overview", icons.overview], ["audiences", "Audiences", icons.audiences], ["feeds", "Feeds", icons.feeds], ["jobs", "Jobs", icons.jobs], ["letters", "Dead letters", icons.letters],
  ["campaigns", "Campaigns", icons.campaigns], ["rules", "Rules", icons.rules], ["audit", "Audit", icons.audit],
];

// targetOf returns the audience of #/audiences/segment%204, or of #/audiences/segment/4, as commands name it.
const targetOf = ([, first, ...rest]) => (rest.length ? `${first === "campaign" ? "target" : first} ${rest.join("/")}` : first);

function currentPage({ names, params }) {
  const [first = "", second] = names;
  switch (first) {
    case "": return html`<${Overview} params=${params} />`;
    case "jobs": return second ? html`<${Job} id=${second} key=${second} />` : html`<${Jobs} params=${params} />`;
    case "letters": return html`<${Letters} params=${params} />`;
    case "audiences": return second === "overlap" ? html`<${Overlaps} params=${params} />` : second ? html`<${Audience} target=${targetOf(names)} key=${targetOf(names)} />` : html`<${Audiences} params=${params} />`;
    case "feeds": return html`<${Feeds} params=${params} />`;
    case "campaigns": return second ? html`<${Campaign} code=${second} key=${second} />` : html`<${Board} params=${params} />`;
    case "rules": return html`<${Rules} names=${names.slice(1)} params=${params} />`;
    case "audit": return html`<${Audit} params=${params} />`;
  }
  return html`<${Page} title="Page not found" sub=${html`<a href="#/">Back to the overview</a>`} />`;
}

restoreSettings();

function Theme() {
  const [now, set] = useState(isDark());
  useEffect(() => {
    const update = () => set(isDark());
    const stop = onTheme(update);
    update(); // the scheme may have changed since the first drawing
    return stop;
  }, []);
  return html`<button class="bare small" onClick=${toggleTheme} aria-label=${now ? "Light colours" : "Dark colours"} title=${now ? "Light colours" : "Dark colours"}><span class="icon">${icons.theme}</span></button>`;
}

// Zone switches all times between UTC and the browser's zone.
function Zone() {
  return html`<button class="bare small" onClick=${() => setUTC(!isUTC())} title=${isUTC() ? "Times are in UTC; show them in this computer's zone" : `Times are in this computer's zone, ${zone()}; show them in UTC`} aria-label=${isUTC() ? "Times in UTC" : `Times in ${zone()}, this computer's zone`}>${zone()}</button>`;
}

function Frame({ onLeave }) {
  const route = useRoute();
  const overview = useData("/api/overview", ["letters", "overview"]); // a cached count may be older than the letter
  const status = useStatus(route.names);
  const failed = overview.data?.letters ?? 0;
  const leave = () => post("/api/logout").then(() => onLeave("You have logged out."), (e) => onLeave(e.message));
  return html`<a class="skip" href="#main" onClick=${(e) => { e.preventDefault(); document.querySelector("h1")?.focus(); }}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${icons.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${pages.map(([name, title, icon]) => html`<a href="#/${name}" aria-current=${(route.names[0] ?? "") === name ? "page" : undefined}>${icon}<span>${title}</span>
            ${name === "letters" && failed > 0 && html`<span class="count" aria-label=${plural(failed, "dead letter")}>${failed > 999 ? "999+" : number(failed)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${session.user}</b><span class="faint small">${session.role}</span></div>
          <div class="row"><${Theme} /><${Zone} /><button class="bare small" onClick=${leave} title="Log out" aria-label="Log out"><span class="icon">${icons.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${status.stale ? "stale" : ""} ${status.well ? "" : "unwell"}"><${StatusLine} status=${status} />${currentPage(route)}</main>
    </div><${Keys} /><${Toasts} />`;
}

// reasons say why a session is absent.
const reasons = {
  expired: "Your session has expired: sessions end after two hours without use, and after twelve hours.",
  forgotten: "usher does not know your session any more: it was restarted and had not stored it.",
  barred: "Your password has changed, you may not log in any more, or the proxy names another user.",
  unread: "usher cannot check your session, because NATS does not respond. This page tries it again by itself.",
};

function App() {
  const [who, set] = useState(session.user);
  const [why, explain] = useState(reasons[session.absent]);
  const [, redraw] = useState(0);
  useEffect(() => {
    onExpired(async () => {
      if (!session.user) return;
      closeLive();
      session.user = "";
      await readSession().catch(() => {});
      explain(reasons[session.absent] ?? "Your session has ended: you have logged out in another tab.");
      set("");
    });
    window.addEventListener("zone", () => redraw((n) => n + 1));
  }, []);
  const enter = async () => {
    await readSession();
    explain(reasons[session.absent]);
    set(session.user);
    if (session.user) openLive();
  };
  const leave = (says) => { closeLive(); session.user = ""; explain(says); set(""); };
  return who ? html`<${Frame} key=${isUTC() ? "utc" : "local"} onLeave=${leave} />` : html`<${Login} why=${why} onIn=${enter} />`;
}

// toOverview replaces what people may take for the address of the overview. A link to log in leads those who
// are logged in there, and stays unused.
function toOverview() {
  const [name] = here().names;
  if (name !== "overview" && (name !== "login" || !session.user)) return;
  history.replaceState(null, "", "#/");
  window.dispatchEvent(new Event("hashchange"));
}
window.addEventListener("hashchange", toOverview);

Object.assign(session, JSON.parse(document.getElementById("session").textContent)); // as it was when the page was read
toOverview();
if (session.user) openLive();
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
