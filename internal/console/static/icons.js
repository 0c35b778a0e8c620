// Line icons.
import { html } from "./ui.js";

const icon = (paths) => html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;

export const icons = {
  overview: icon(html`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),
  audiences: icon(html`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
  feeds: icon(html`<path d="M12 3v10M8 9l4 4 4-4M4 15v5h16v-5" />`),
  jobs: icon(html`<path d="M4 6h16M4 12h16M4 18h10" />`),
  letters: icon(html`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),
  campaigns: icon(html`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),
  rules: icon(html`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),
  workers: icon(html`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),
  audit: icon(html`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),
  theme: icon(html`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
  leave: icon(html`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),
  brand: html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`,
};
