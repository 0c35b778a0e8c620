// The console's frame: navigation, the logged-in user, and the page for the current route.
import { html, render, useEffect, useState } from "./ui.js";
import { closeLive, onExpired, openLive, post, readSession, session, useData } from "./api.js";
import { number, plural } from "./format.js";
import { icons } from "./icons.js";
import { Page, Toasts, say } from "./parts.js";
import { useRoute } from "./route.js";
import { StatusLine, useStatus } from "./status.js";
import { Login } from "./pages/login.js";
import { Overview } from "./pages/overview.js";
import { Jobs } from "./pages/jobs.js";
import { Job } from "./pages/job.js";
import { Letters } from "./pages/letters.js";
import { Audience } from "./pages/audience.js";
import { Audiences } from "./pages/audiences.js";
import { Board } from "./pages/board.js";
import { Campaign } from "./pages/campaigns.js";
import { Rules } from "./pages/rules.js";
import { Audit } from "./pages/audit.js";

const pages = [
  ["", "Overview", icons.overview], ["audiences", "Audiences", icons.audiences], ["jobs", "Jobs", icons.jobs], ["letters", "Dead letters", icons.letters],
  ["campaigns", "Campaigns", icons.campaigns], ["rules", "Rules", icons.rules], ["audit", "Audit", icons.audit],
];

function currentPage({ names, params }) {
  const [first = "", second] = names;
  switch (first) {
    case "": return html`<${Overview} />`;
    case "jobs": return second ? html`<${Job} id=${second} key=${second} />` : html`<${Jobs} params=${params} />`;
    case "letters": return html`<${Letters} params=${params} />`;
    case "audiences": return second ? html`<${Audience} target=${second} key=${second} />` : html`<${Audiences} params=${params} />`;
    case "campaigns": return second ? html`<${Campaign} code=${second} key=${second} />` : html`<${Board} params=${params} />`;
    case "rules": return html`<${Rules} names=${names.slice(1)} params=${params} />`;
    case "audit": return html`<${Audit} params=${params} />`;
  }
  return html`<${Page} title="Page not found" sub=${html`<a href="#/">Back to the overview</a>`} />`;
}

// The theme follows the system until the user picks one, which the browser remembers.
const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event("theme"));
}
try {
  const kept = localStorage.getItem("theme");
  if (kept) setTheme(kept);
} catch { /* local storage is disabled */ }

function Theme() {
  const [now, set] = useState(dark());
  useEffect(() => {
    const update = () => set(dark());
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", update);
    window.addEventListener("theme", update);
    return () => { scheme.removeEventListener("change", update); window.removeEventListener("theme", update); };
  }, []);
  const toggle = () => {
    const next = dark() ? "light" : "dark";
    setTheme(next);
    try { localStorage.setItem("theme", next); } catch { /* local storage is disabled */ }
  };
  return html`<button class="bare small" onClick=${toggle} aria-label=${now ? "Light colours" : "Dark colours"} title=${now ? "Light colours" : "Dark colours"}><span class="icon">${icons.theme}</span></button>`;
}

function Frame({ onLeave }) {
  const route = useRoute();
  const overview = useData("/api/overview", ["letters"]);
  const status = useStatus(route.names);
  const failed = overview.data?.letters ?? 0;
  const leave = async () => {
    await post("/api/logout").catch((e) => say(e.message, true));
    onLeave();
  };
  return html`<a class="skip" href="#main" onClick=${(e) => { e.preventDefault(); document.querySelector("h1")?.focus(); }}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${icons.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${pages.map(([name, title, icon]) => html`<a href="#/${name}" aria-current=${(route.names[0] ?? "") === name ? "page" : undefined}>${icon}<span>${name === "letters" ? html`<span class="long">Dead </span>letters` : title}</span>
            ${name === "letters" && failed > 0 && html`<span class="count" aria-label=${plural(failed, "dead letter")}>${failed > 999 ? "999+" : number(failed)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${session.user}</b><span class="faint small">${session.role}</span></div>
          <div class="row"><${Theme} /><button class="bare small" onClick=${leave} title="Log out" aria-label="Log out"><span class="icon">${icons.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${status.stale ? "stale" : ""} ${status.well ? "" : "unwell"}"><${StatusLine} status=${status} />${currentPage(route)}</main>
    </div><${Toasts} />`;
}

function App() {
  const [who, set] = useState(session.user);
  useEffect(() => {
    onExpired(() => { closeLive(); set(""); });
  }, []);
  const enter = async () => { await readSession(); set(session.user); openLive(); };
  return who ? html`<${Frame} onLeave=${() => { closeLive(); session.user = ""; set(""); }} />` : html`<${Login} onIn=${enter} />`;
}

await readSession().catch(() => {});
if (session.user) openLive();
const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
