import type { FundsView } from '../../api/schemas/funding.ts';
import { describeCode } from '../../domain/batch/batch-status-text.ts';
import { formatAmount } from '../../domain/money/format-money.ts';
import { Money } from '../../domain/money/money.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { table, widget } from '../markup/widget.ts';
import { badge } from '../words/labels.ts';
import type { Tone } from '../words/tones.ts';
import { amountOf } from './counts-and-money.ts';

type Pace = FundsView['providerPace'][number];

const kinds = { post: 'Submitting', read: 'Asking' } as const satisfies Record<Pace['kind'], string>;

const paceBadge = ({ limitPerSecond, perSecond, blockedUntil }: Pace): Html => {
  if (blockedUntil !== undefined) return badge('stopped by the provider', 'bad');
  if (limitPerSecond === 0) return badge('no limit', 'quiet');
  return perSecond < limitPerSecond ? badge('slowed down', 'waits') : badge('full pace', 'good');
};

const aSecond = (perSecond: number): string => `${Math.round(perSecond * 100) / 100} a second`;

const pace = (drawing: Drawing, { providerPace }: FundsView): Html => {
  const rows = providerPace.map((one) => [
    kinds[one.kind],
    html`${paceBadge(one)}${one.blockedUntil === undefined ? undefined : html` until ${drawing.time(one.blockedUntil)}`}`,
    one.limitPerSecond === 0 ? undefined : aSecond(one.perSecond),
    one.limitPerSecond === 0 ? undefined : aSecond(one.limitPerSecond),
    one.queuedMs === 0 ? 'none' : `${Math.ceil(one.queuedMs / 1000)} s`,
  ]);
  return table(['Requests', 'Pace', 'At present', 'Limit', 'Queue'], rows, 'The provider has not been asked yet.');
};

/** Opens a batch in a popup, so that this widget still shows the funds. */
const showBatch = (drawing: Drawing, batchId: string): Html =>
  drawing.opens(batchId, { view: 'batch', batchId, aside: true }, { look: 'link', inPopup: true });

/** One line for each batch with reserved money, and a sum when there are several. */
const reserved = (drawing: Drawing, { reservations }: FundsView): Content => {
  const rows = [...Map.groupBy(reservations, ({ currency }) => currency)].flatMap(([currency, held]) => {
    const amounts = held.map(({ amount }) => Money.of(amount, currency));
    const lines = held.map(({ batchId, batchStatus, amount }) => [
      currency,
      amountOf(Money.of(amount, currency)),
      html`${showBatch(drawing, batchId)} <span class="muted">${describeCode(batchStatus)}</span>`,
    ]);
    const total = html`<b class="amount">${formatAmount(Money.sum(currency, amounts))}</b>`;
    return held.length === 1 ? lines : [...lines, [html`<b>${currency}</b>`, total, `${held.length} batches together`]];
  });
  const columns = ['Currency', { name: 'Reserved', isRight: true }, 'For'] as const;
  return table(columns, rows, 'No money is reserved.');
};

const lockTones = { held: 'active', in_doubt: 'waits', idle: 'quiet' } as const satisfies Record<
  FundsView['locks'][number]['state'],
  Tone
>;

const locks = (drawing: Drawing, { locks: held }: FundsView): Content => {
  const rows = held.map(({ inputCurrency, outputCurrency, batchId, since, state, wayOut }) => [
    `${inputCurrency} → ${outputCurrency}`,
    badge(state, lockTones[state]),
    drawing.age(since),
    batchId === undefined ? undefined : showBatch(drawing, batchId),
    wayOut?.message,
  ]);
  return table(['Pair', 'State', 'Locked', 'By', 'What to do'], rows, 'No pair of currencies is locked.');
};

/** Request rates, and reserved balances. Sends no request to the provider. */
export const drawProvider = (drawing: Drawing, funds: FundsView): Html => {
  const underWay = locks(drawing, funds);
  return widget(
    drawing,
    html`<div class="columns"><div><h1>Pace of requests</h1>${pace(drawing, funds)}<h2>Conversions under way</h2>${underWay}</div><div><h1>Reserved money</h1>${reserved(drawing, funds)}</div></div>`,
  );
};
