import { describeCode } from '../../domain/batch/batch-status-text.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { ConsoleParams } from '../request.ts';
import { consoleParams } from '../request.ts';

/** What the console shows of what a request of the API reads; undefined of one that it has no view for. */
const viewOf = (request: string): unknown => {
  const [, batchId, status] =
    /^GET \/batches\/([^/]+)\/payouts\?(?:status=(\w+)|contradicted=true)$/.exec(request) ?? [];
  if (batchId === undefined) return undefined;
  return status === undefined ? { view: 'contradicted', batchId } : { view: 'payouts', batchId, status };
};

const label = (params: ConsoleParams): string =>
  params.view === 'payouts' ? `Show the ${describeCode(params.status ?? '')} payouts` : 'Show the contradicted payouts';

/** What may be done about something: a button for what the console can show, and the API's request for what a person must send. */
export const actionButtons = (drawing: Drawing, requests: readonly string[]): Html => {
  const drawn = requests.map((request) => {
    const found = consoleParams.safeParse(viewOf(request));
    if (!found.success) return html`<code>${request}</code>`;
    return drawing.opens(label(found.data), found.data);
  });
  return html`<div class="row">${drawn}</div>`;
};
