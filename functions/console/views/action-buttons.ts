import { describeCode } from '../../domain/batch/batch-status-text.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { consoleParams } from '../request.ts';

/** API requests that read what a view of the console shows. */
const listsPayouts = /^GET \/batches\/([^/]+)\/payouts\?(?:status=(\w+)|contradicted=true)$/;

/** Actions on an item: a button where the console has a view, otherwise the API request that a person must send. */
export const actionButtons = (drawing: Drawing, requests: readonly string[]): Html => {
  const drawn = requests.map((request) => {
    const [, batchId, status] = listsPayouts.exec(request) ?? [];
    const view = status === undefined ? { view: 'contradicted', batchId } : { view: 'payouts', batchId, status };
    const found = consoleParams.safeParse(view);
    if (!found.success) return html`<code>${request}</code>`;
    return drawing.opens(`Show the ${describeCode(status ?? 'contradicted')} payouts`, found.data);
  });
  return html`<div class="row">${drawn}</div>`;
};
