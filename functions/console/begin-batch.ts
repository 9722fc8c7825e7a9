import { hash } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { BatchStatus } from '../domain/batch/batch-status.ts';
import { describeCode } from '../domain/batch/batch-status-text.ts';
import { consoleCaller, describeApprover } from '../domain/batch/caller.ts';
import { nameOfError } from '../domain/errors.ts';
import { problemType } from '../domain/problems.ts';
import type { Needs } from '../ports/needs.ts';
import type { BatchToBegin, Begin } from '../ports/operator-functions.ts';
import { begin, clock, log } from '../runtime.ts';
import { describeBeginning } from './describe.ts';
import { Drawing } from './markup/drawing.ts';
import type { Html } from './markup/html.ts';
import { html } from './markup/html.ts';
import { notice } from './markup/widget.ts';
import type { BeginParams, WidgetContext } from './request.ts';
import { beginParams, inField, readCall } from './request.ts';
import { fileName } from './words/labels.ts';

type BeginBatchDependencies = Needs<{ log: 'info' | 'warn' }, 'clock'> & { readonly begin: Begin };

/** One drawing of a button has one key: pressed twice it begins one batch. Drawn again it may begin another. */
const keyOf = ({ file, versionId, mode, drawnAt }: BeginParams): string =>
  `console-${hash('sha256', JSON.stringify([file, versionId, mode, drawnAt]))}`;

/** A preview moves no money. Any other batch needs a person's approval, whatever the request says. */
const batchToBegin = (params: BeginParams, context: WidgetContext): BatchToBegin => {
  const { mode, drawnAt: _, console: __, ...asked } = params;
  return {
    ...asked,
    invalidRows: asked.invalidRows ?? (inField(context, 'invalidRows') === 'skip' ? 'skip' : 'reject'),
    idempotencyKey: keyOf(params),
    ...(mode === 'preview' ? { mode } : { mode, approval: 'required' }),
  };
};

const outcomes = {
  preview: {
    title: 'The file is being checked',
    text: 'No money moves. Open the batch to see the result of the check. “Look again” refreshes it.',
  },
  disburse: {
    title: 'Payment is asked for',
    text: `Its rows are checked first. Then it ${describeCode('pending_approval')}. ${describeApprover(consoleCaller)} approves it by the operator API.`,
  },
} as const;

/** Shown when another batch already pays this file. To pay it again anyway, an identified person must decide. */
const askedBefore = [
  'Payment of this file was asked for already',
  'Open the batch that holds it to see its state. If that batch was canceled or failed, an operator of the API decides whether the file is paid again.',
] as const;

/** Refusals after which the batch may have been written. Only the same request finds it, so the same key is needed. */
const mayHaveBegun: readonly string[] = (['unavailable', 'internal_error'] as const).map(problemType);

/** Statuses of a batch that this click, or another a moment ago, has begun. */
const underWay: readonly BatchStatus[] = ['accepted', 'validating', 'scheduled'];

/** Describes the batch. A repeated click finds it in its present state: paid, canceled or refused. */
const outcomeOf = (mode: BeginParams['mode'], batchStatus: BatchStatus) =>
  underWay.includes(batchStatus)
    ? outcomes[mode]
    : { title: 'This was started before', text: `It is ${describeCode(batchStatus)} now.` };

const drawBegun = async (
  { begin, log }: BeginBatchDependencies,
  drawing: Drawing,
  context: WidgetContext,
  params: BeginParams,
): Promise<Html> => {
  const { mode, file } = params;
  const shows = (batchId?: string) =>
    batchId && drawing.opens('Show the batch', { view: 'batch', batchId }, { look: 'main' });
  const all = drawing.opens('All batches', { view: 'batches' });
  const batch = batchToBegin(params, context);
  const askAgain = (batchId?: string): Html => {
    const text = 'It may have been started. Ask again: asking twice starts it once.';
    const { console: _, ...asked } = { ...params, invalidRows: batch.invalidRows };
    const question = `Ask again for ${fileName(file)}? Asking twice starts it once.`;
    const again = drawing.begins('Ask again', asked, question, 'main');
    return notice(drawing, 'bad', 'Something went wrong', text, again, shows(batchId), all);
  };
  try {
    const begun = await begin(batch, consoleCaller);
    if (begun.kind === 'refused') {
      const { type, title, detail, batchId } = begun;
      if (mayHaveBegun.includes(type)) return askAgain(batchId);
      if (type === problemType('same_file')) return notice(drawing, 'plain', ...askedBefore, shows(batchId), all);
      return notice(drawing, 'bad', title, detail, shows(batchId), all);
    }
    const { batchId, batchStatus } = begun;
    log.info('console.begun', { mode, batchId, batchStatus });
    const { title, text } = outcomeOf(mode, batchStatus);
    return notice(drawing, 'plain', title, html`${fileName(file)} is ${batchId}. ${text}`, shows(batchId));
  } catch (error) {
    log.warn('console.failed', { mode, error: nameOfError(error) });
    return askAgain();
  }
};

/**
 * Begins a batch for a dashboard button, with the operator API's own function: a preview, or a payment that someone
 * listed in `approvers` approves. Its role may start batches and nothing else, so it cannot approve what it began.
 */
export const beginBatch = async (
  dependencies: BeginBatchDependencies,
  received: unknown,
  ownArn: string,
): Promise<string> => {
  const { describes, context, params } = readCall(received);
  if (describes) return describeBeginning;
  const asked = beginParams.safeParse(params);
  const console = asked.success ? asked.data.console : '';
  const drawing = new Drawing({ ...context, console, beginning: ownArn, nowMs: dependencies.clock() });
  if (asked.success) return (await drawBegun(dependencies, drawing, context, asked.data)).source;
  const text =
    'A dashboard can have a file checked, and ask for its payment. A person named in the setting approvers approves it.';
  return notice(drawing, 'bad', 'This cannot be done here', text).source;
};

export const handler = (received: unknown, { invokedFunctionArn }: Pick<Context, 'invokedFunctionArn'>) =>
  beginBatch({ begin: begin(), clock, log }, received, invokedFunctionArn);
