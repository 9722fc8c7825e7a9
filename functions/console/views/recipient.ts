import type { Problem } from '../../api/http/problem.ts';
import { describeProblem } from '../../api/http/problem.ts';
import type { PayoutPage } from '../../api/schemas/payout.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { facts, linksAbove, table, widget } from '../markup/widget.ts';
import { progress } from './counts-and-money.ts';
import { payoutCells, payoutColumns } from './payout-cells.ts';
import { searchForm } from './search.ts';

const instructions =
  'Fill in the bank code and the account number as the payout file has them. Or fill in a wallet address or a recipient id alone.';

/** Shown until the form names a recipient. */
export const drawRecipientForm = (drawing: Drawing): Html =>
  widget(
    drawing,
    linksAbove(drawing),
    html`<h1>Was this person paid?</h1><div class="note plain">${instructions}</div>`,
    searchForm(drawing),
  );

const unknown =
  'Nothing was found. This does not mean that the person was not paid. An account needs its bank code too. Write the number as the ' +
  'payout file has it, with zeros in front and hyphens, or ask by reference. A batch that is still being checked has no payouts yet.';

/** Shown when no payout has the requested reference. */
export const drawUnknownPayout = (drawing: Drawing, found: Problem): Html =>
  widget(
    drawing,
    linksAbove(drawing),
    html`<h1>${describeProblem(found).title}</h1><div class="note plain">This does not mean that nobody was paid. Write the reference as the payout file has it, or ask by the account. A skipped row is not a payout: find it in its batch’s file to correct, with the reason. Correct it there to have it paid.</div>`,
    searchForm(drawing),
  );

/** Payouts to one recipient in all batches, newest first. */
export const drawRecipient = (drawing: Drawing, { payouts, cursor }: PayoutPage): Html => {
  const rows = payouts.map((payout) => [drawing.batch(payout.batchId), ...payoutCells(drawing, payout)]);
  const [first] = payouts;
  const counts = Object.fromEntries(
    [...Map.groupBy(payouts, ({ status }) => status)].map(([status, those]) => [status, those.length]),
  );
  const more =
    first && cursor && drawing.opens('Older payouts', { view: 'recipient', sameAs: first.reference, cursor });
  return widget(
    drawing,
    linksAbove(drawing),
    html`<h1>Payouts to one recipient</h1><div class="id">${first?.bankCode} ${first?.account}</div>`,
    facts([[cursor === undefined ? 'Payouts' : 'Payouts on this page', first && progress({ counts })]]),
    table(['Batch', ...payoutColumns], rows, unknown),
    html`<p class="row">${more}</p>`,
    html`<h2>Look for another</h2>`,
    searchForm(drawing),
  );
};
