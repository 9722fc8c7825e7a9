import type { ShownDashboard } from './dashboard.ts';
import type { ConsoleFiles } from './files.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** JSON that cannot end its script element. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The page that stands in for CloudWatch. Only the script with this nonce runs, so no widget's script does. */
export const consolePage = (
  { dashboardName, widgets }: ShownDashboard,
  { mostBytes: mostFileBytes, linksBegin }: Pick<ConsoleFiles, 'mostBytes' | 'linksBegin'>,
  nonce: string,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(dashboardName)}</title>
<style>${pageStyle}${widgets
  .map(({ widgetId, width }) => `@media (min-width:900px){#${widgetId}{grid-column:span ${width}}}`)
  .join('')}</style>
</head>
<body>
<header><div><h1>${escaped(dashboardName)}</h1><p>on the local AWS, in place of CloudWatch</p></div>
<div><button type="button" id="theme">Light or dark</button><button type="button" id="refresh">Refresh</button></div></header>
<main>${widgets
  .map(
    ({ widgetId, title }) =>
      `<section id="${widgetId}" aria-label="${escaped(title)}"><h2>${escaped(title)}</h2><div></div></section>`,
  )
  .join('')}</main>
<dialog id="confirm"><p></p><menu><button type="button" value="no">No</button><button type="button" value="yes">Yes</button></menu></dialog>
<dialog id="popup"><div></div><menu><button type="button" value="close">Close</button></menu></dialog>
<dialog id="upload"><p>Upload a payout file to <code>uploads/</code>. On AWS the S3 console does this.</p><p><input type="file" aria-label="Payout file"></p><p class="failed" role="alert"></p><menu><button type="button" value="cancel">Cancel</button><button type="button" id="send">Upload</button></menu></dialog>
<script type="application/json" id="dashboard">${inScript({ dashboardName, widgets, mostFileBytes, linksBegin })}</script>
<script nonce="${nonce}">${pageScript}</script>
</body>
</html>
`;

/** Content security policy: no other origins, no script but the page's own, and no frame around it. */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
