import { html } from "../ui.js";
import { Page } from "../parts.js";
export const Rules = () => html`<${Page} title="Rules" />`;
