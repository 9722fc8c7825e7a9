import * as z from 'zod';
import { batchStatus, reportName } from '../api/schemas/batch.ts';
import { batchId, cursor } from '../api/schemas/parameters.ts';
import { payoutStatus } from '../api/schemas/payout.ts';
import { startBatchBody } from '../api/schemas/start-batch.ts';

/** What a form's field may say: a reference, or nothing. */
const reference = z.string().trim().min(1).max(1024);

/**
 * What a widget, or a button of one, asks to see. Nothing of it changes anything: what does is asked of another function. A
 * field of a form stands in `widgetContext.forms`, and is read where a view is asked for without that field.
 */
export const consoleParams = z.discriminatedUnion('view', [
  z.strictObject({ view: z.literal('batches'), status: batchStatus.exactOptional(), cursor }),
  z.strictObject({ view: z.literal('batch'), batchId, cursor, aside: z.literal(true).exactOptional() }),
  z.strictObject({ view: z.literal('payouts'), batchId, status: payoutStatus.exactOptional(), cursor }),
  z.strictObject({ view: z.literal('contradicted'), batchId, cursor }),
  z.strictObject({ view: z.literal('payout'), reference: reference.exactOptional() }),
  z.strictObject({ view: z.literal('recipient'), sameAs: reference.exactOptional(), cursor }),
  z.strictObject({ view: z.literal('file'), batchId, name: reportName }),
  z.strictObject({ view: z.literal('proof'), reference }),
  z.strictObject({ view: z.literal('proofs'), batchId, cursor }),
  z.strictObject({ view: z.literal('uploads') }),
  z.strictObject({ view: z.literal('columns') }),
  z.strictObject({ view: z.literal('provider') }),
]);
export type ConsoleParams = z.input<typeof consoleParams>;

/** What a dashboard may do to a batch. Whatever lets money move takes a person who is known, and is no part of this. */
export const steeringActions = ['pause', 'cancel'] as const;

const lambdaArn = z.string().regex(/^arn:[\w-]+:lambda:[\w-]+:\d{12}:function:[\w-]{1,140}(:[\w$-]{1,128})?$/);

/** What a button that steers asks for, and the function that draws the widget it stands in. */
export const steeringParams = z.strictObject({ action: z.enum(steeringActions), batchId, console: lambdaArn });
export type SteeringParams = z.input<typeof steeringParams>;

const { file, versionId, corrects, startAt, canary, pauseAbove } = startBatchBody.shape;

/**
 * What a button that begins a batch asks for: the version of the file that was drawn, and when that was. `invalidRows` is left to
 * the form's field where the button does not say it.
 */
export const beginParams = z.strictObject({
  mode: z.enum(['preview', 'disburse']),
  file,
  versionId: versionId.unwrap(),
  corrects,
  startAt,
  canary,
  pauseAbove,
  invalidRows: z.enum(['reject', 'skip']).exactOptional(),
  drawnAt: z.iso.datetime(),
  console: lambdaArn,
});
export type BeginParams = z.input<typeof beginParams>;

/** What CloudWatch says of the widget. It vouches for none of it, so what does not fit is left at something harmless. */
const widgetContext = z.object({
  theme: z.enum(['light', 'dark']).catch('light'),
  width: z.number().min(1).catch(1000),
  timezone: z.object({ offsetISO: z.string() }).catch({ offsetISO: '+00:00' }),
  forms: z.object({ all: z.record(z.string(), z.unknown()) }).catch({ all: {} }),
});
export type WidgetContext = z.infer<typeof widgetContext>;

/** What stands in a field of the widget; undefined where it is empty. */
export const inField = ({ forms }: WidgetContext, name: string): string | undefined => {
  const value = forms.all[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

const event = z.looseObject({
  describe: z.unknown().optional(),
  widgetContext: widgetContext.catch(widgetContext.parse({})),
});

/** A call by a dashboard: what it asks, apart from what it says of itself. */
export interface WidgetCall {
  /** It asks for the function's documentation. */
  readonly describes: boolean;
  readonly context: WidgetContext;
  /** What else there is in the event, to be held against a schema. */
  readonly params: Readonly<Record<string, unknown>>;
}

export const readCall = (received: unknown): WidgetCall => {
  const { describe, widgetContext: context, ...params } = event.catch(event.parse({})).parse(received);
  return { describes: describe === true, context, params };
};
