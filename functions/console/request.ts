import * as z from 'zod';
import { batchStatus, reportName } from '../api/schemas/batch.ts';
import { batchId, cursor } from '../api/schemas/parameters.ts';
import { payoutStatus } from '../api/schemas/payout.ts';
import { startBatchBody } from '../api/schemas/start-batch.ts';
import { batchModes, invalidRowsChoices } from '../domain/batch/batch.ts';

/** A reference as a parameter. A form's field is read by `inField`. */
const reference = z.string().trim().min(1).max(1024);

/**
 * Parameters of a widget or of one of its buttons. None of them changes anything: changes call another function. Form
 * fields come in `widgetContext.forms`. They are read when the view's own parameter is absent.
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
export type PayoutsParams = Extract<ConsoleParams, { view: 'payouts' | 'contradicted' }>;

/** Actions on a batch from a dashboard. Anything that lets money move needs an identified person, and is not among them. */
export const steeringActions = ['pause', 'cancel'] as const;

const lambdaArn = z.string().regex(/^arn:[\w-]+:lambda:[\w-]+:\d{12}:function:[\w-]{1,140}(:[\w$-]{1,128})?$/);

/** Parameters of a steering button, and the function that draws the widget around it. */
export const steeringParams = z.strictObject({ action: z.enum(steeringActions), batchId, console: lambdaArn });
export type SteeringParams = z.input<typeof steeringParams>;

const { file, versionId, corrects, startAt, canary, pauseAbove } = startBatchBody.shape;

/**
 * Parameters of a button that begins a batch: the file version that was drawn, and the time of drawing. Without
 * `invalidRows`, the form's field decides.
 */
export const beginParams = z.strictObject({
  mode: z.enum(batchModes),
  file,
  versionId: versionId.unwrap(),
  corrects,
  startAt,
  canary,
  pauseAbove,
  invalidRows: z.enum(invalidRowsChoices).exactOptional(),
  drawnAt: z.iso.datetime(),
  console: lambdaArn,
});
export type BeginParams = z.input<typeof beginParams>;

/** CloudWatch's description of the widget. Nothing of it is trusted, so invalid values fall back to harmless ones. */
const widgetContext = z.object({
  theme: z.enum(['light', 'dark']).catch('light'),
  width: z.number().min(1).catch(1000),
  timezone: z.object({ offsetISO: z.string() }).catch({ offsetISO: '+00:00' }),
  forms: z.object({ all: z.record(z.string(), z.unknown()) }).catch({ all: {} }),
});
export type WidgetContext = z.infer<typeof widgetContext>;

/** The value of a field of the widget. Undefined when it is empty. */
export const inField = ({ forms }: WidgetContext, name: string): string | undefined => {
  const value = forms.all[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

const event = z.looseObject({
  describe: z.unknown().optional(),
  widgetContext: widgetContext.catch(widgetContext.parse({})),
});

/**
 * A dashboard's call, with its parameters separate from its context. They are not validated yet. `describes` is true when the call
 * asks for the function's documentation.
 */
export const readCall = (received: unknown) => {
  const { describe, widgetContext: context, ...params } = event.catch(event.parse({})).parse(received);
  return { describes: describe === true, context, params };
};
