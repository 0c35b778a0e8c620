// Logging in by name and password, by one-time link, or through a proxy.
import { html, useEffect, useState } from "../ui.js";
import { post, readSession, session } from "../api.js";
import { icons } from "../icons.js";
import { Field } from "../parts.js";
import { here } from "../route.js";

// why says why the page is shown; undefined: nobody has logged in here before.
export function Login({ why, onIn }) {
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const ways = session.ways ?? [];

  const enter = async (path, body) => {
    setBusy(true);
    setError("");
    try {
      await post(path, body);
      await onIn();
    } catch (e) {
      setError(e.message);
      setBusy(false);
    }
  };
  const follow = () => {
    const { names } = here();
    if (names[0] !== "login" || !names[1]) return false;
    history.replaceState(null, "", "#/");
    window.dispatchEvent(new Event("hashchange"));
    enter("/api/login/link", { Token: names[1] });
    return true;
  };
  useEffect(() => {
    document.title = "Log in · usher";
    window.addEventListener("hashchange", follow);
    if (!follow() && ways.includes("proxy")) enter("/api/login/proxy", {});
    if (!session.ways?.length) readSession().catch((e) => setError(e.message));
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    if (session.absent !== "unread") return undefined;
    const timer = setInterval(() => onIn().catch(() => {}), 2000);
    return () => clearInterval(timer);
  }, [why]);

  return html`<div class="login"><div class="box">
    <div class="brand">${icons.brand}usher</div>
    <p class="soft" role="status">${why ?? "Log in to see what usher does."}</p>
    ${ways.includes("password") && html`<form onSubmit=${(e) => { e.preventDefault(); enter("/api/login", { User: name, Password: password }); }}>
      <${Field} name="Name"><input type="text" autocomplete="username" required autofocus value=${name} onInput=${(e) => setName(e.target.value)} /><//>
      <${Field} name="Password"><input type="password" autocomplete="current-password" required value=${password} onInput=${(e) => setPassword(e.target.value)} /><//>
      <button class="primary" disabled=${busy}>${busy ? "Logging in …" : "Log in"}</button>
    </form>`}
    ${ways.includes("link") && html`<p class="soft">${busy ? "Logging in …" : "Open the link that usher printed when it started. It logs in one browser, once; the next link is in usher's log."}</p>`}
    ${ways.includes("proxy") && html`<button disabled=${busy} onClick=${() => enter("/api/login/proxy", {})}>Log in through the proxy</button>`}
    ${error && html`<div class="callout bad" role="alert"><div>${error}</div></div>`}
  </div></div>`;
}
