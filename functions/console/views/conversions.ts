import type { BatchView } from '../../api/schemas/batch.ts';
import type { ConversionView } from '../../api/schemas/funding.ts';
import { isInDoubt, isMade } from '../../domain/money/conversion.ts';
import { Money } from '../../domain/money/money.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { table } from '../markup/widget.ts';
import { badge } from '../words/labels.ts';
import type { Tone } from '../words/tones.ts';
import { moneyOf } from './counts-and-money.ts';

const toneOfConversion = (conversion: Pick<ConversionView, 'status'>): Tone => {
  if (isInDoubt(conversion)) return 'waits';
  return isMade(conversion) ? 'good' : 'quiet';
};

/** A batch's conversions, as planned or as made. Nothing when it needs none. */
export const drawConversions = (drawing: Drawing, batch: BatchView): Content => {
  if (batch.conversions.length === 0) return undefined;
  const rows = batch.conversions.map((one) => [
    badge(one.status, toneOfConversion(one)),
    moneyOf(Money.of(one.inputAmount ?? one.plannedInputAmount, one.inputCurrency)),
    moneyOf(Money.of(one.outputAmount ?? one.plannedOutputAmount, one.outputCurrency)),
    drawing.time(one.claimedAt),
  ]);
  const columns = ['Status', { name: 'From', isRight: true }, { name: 'To', isRight: true }, 'At'] as const;
  return html`<h2>Conversions</h2>${table(columns, rows, '')}`;
};
