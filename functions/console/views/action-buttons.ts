import { describeCode } from '../../domain/batch/batch-status-text.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import type { ConsoleParams } from '../request.ts';
import { consoleParams } from '../request.ts';

/** The console's view of what an API request reads. Undefined when there is no such view. */
const viewOf = (request: string): unknown => {
  const [, batchId, status] =
    /^GET \/batches\/([^/]+)\/payouts\?(?:status=(\w+)|contradicted=true)$/.exec(request) ?? [];
  if (batchId === undefined) return undefined;
  return status === undefined ? { view: 'contradicted', batchId } : { view: 'payouts', batchId, status };
};

const label = (params: ConsoleParams): string =>
  params.view === 'payouts' ? `Show the ${describeCode(params.status ?? '')} payouts` : 'Show the contradicted payouts';

/** Actions on an item: a button where the console has a view, otherwise the API request that a person must send. */
export const actionButtons = (drawing: Drawing, requests: readonly string[]): Html => {
  const drawn = requests.map((request) => {
    const found = consoleParams.safeParse(viewOf(request));
    if (!found.success) return html`<code>${request}</code>`;
    return drawing.opens(label(found.data), found.data);
  });
  return html`<div class="row">${drawn}</div>`;
};
