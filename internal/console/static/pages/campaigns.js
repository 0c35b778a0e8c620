import { html } from "../ui.js";
import { Page } from "../parts.js";
export const Campaigns = () => html`<${Page} title="Campaigns" />`;
export const Campaign = ({ code }) => html`<${Page} title=${code} />`;
