import { mostExtraColumns } from '../../domain/payout-file/extra-columns.ts';
import { fieldTable } from '../../domain/payout-file/field-table.ts';
import { payoutFields } from '../../domain/payout-file/fields.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { table, widget } from '../markup/widget.ts';

/**
 * Explains the columns of a payout file, in a popup. Has the same content as the API's template, because a widget
 * cannot offer a file for download.
 */
export const drawColumns = (drawing: Drawing): Html => {
  const rows = payoutFields.map((field) => {
    const { needed, what, example } = fieldTable[field];
    return [html`<b>${field}</b>`, needed, what, html`<code>${example}</code>`];
  });
  rows.push([
    html`<b>x-…</b>`,
    'no',
    `A column of your own, such as x-department. Up to ${mostExtraColumns}; results.csv has them too, and the provider never gets them`,
    html`<code>Accounts</code>`,
  ]);
  return widget(
    drawing,
    html`<h1>Columns of a payout file</h1><div class="note plain">The first row of the sheet has these names, in any order. Leave out columns that you do not need. Format the others as text before you fill them in, so that zeros in front stay. Save it as .xlsx or .csv.</div><p>Bank codes are the provider’s own: its list of payment methods has those of each currency. A check of the file shows wrong codes, and suggests the right one or lists valid ones.</p>`,
    html`<p><code>${payoutFields.join(',')}</code></p>`,
    table(['Column', 'Needed', 'What', 'Example'], rows, ''),
    html`<p class="muted">The operator API has a workbook to fill in: <code>GET /template.xlsx</code>.</p>`,
  );
};
