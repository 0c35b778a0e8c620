import { html } from "../ui.js";
import { Page } from "../parts.js";
export const Audit = () => html`<${Page} title="Audit" />`;
