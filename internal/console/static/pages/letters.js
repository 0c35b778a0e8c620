import { html } from "../ui.js";
import { Page } from "../parts.js";
export const Letters = () => html`<${Page} title="Dead letters" />`;
