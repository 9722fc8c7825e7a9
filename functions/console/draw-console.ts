import type { Context } from 'aws-lambda';
import { InvalidCursor, nameOfError } from '../domain/errors.ts';
import type { Log } from '../ports/environment.ts';
import {
  beginningFunction,
  bind,
  files,
  ledger,
  pace,
  settings,
  steeringFunction,
  uploadPage,
  workflow,
  zipProofs,
} from '../runtime.ts';
import { describeConsole } from './describe.ts';
import { Drawing } from './markup/drawing.ts';
import type { Html } from './markup/html.ts';
import { notice } from './markup/widget.ts';
import type { ConsoleDependencies } from './read-view.ts';
import { readView } from './read-view.ts';
import type { WidgetContext } from './request.ts';
import { consoleParams, readCall } from './request.ts';

export interface DrawConsoleDependencies extends ConsoleDependencies {
  readonly log: Log;
  /** ARN of the function that pauses and cancels. */
  readonly steering: string;
  /** ARN of the function that begins batches. */
  readonly beginning: string;
}

/** Kept between calls of one function instance: see ConsoleDependencies. */
const oldest = new Set<string>();

/** Without parameters a widget shows the batches. */
const unlessEmpty = (params: Readonly<Record<string, unknown>>) =>
  Object.keys(params).length === 0 ? { view: 'batches' } : params;

const drawView = async (
  dependencies: DrawConsoleDependencies,
  drawing: Drawing,
  context: WidgetContext,
  asked: Readonly<Record<string, unknown>>,
): Promise<Html> => {
  const batches = drawing.opens('All batches', { view: 'batches' });
  const params = consoleParams.safeParse(unlessEmpty(asked));
  if (!params.success) {
    const text = 'This widget only shows data. Use the operator API for decisions about money.';
    return notice(drawing, 'plain', 'There is no such view', text, batches);
  }
  try {
    return await readView(dependencies, drawing, context, params.data);
  } catch (error) {
    if (error instanceof InvalidCursor)
      return notice(drawing, 'plain', 'That page is gone', 'Start again from the first page.', batches);
    dependencies.log.warn('console.failed', { view: params.data.view, error: nameOfError(error) });
    const text = 'It could not be read now. Refresh it. If that does not help, look at the log of DrawConsole.';
    return notice(drawing, 'bad', 'Something went wrong', text, batches);
  }
};

/**
 * Answers a dashboard widget with HTML, or with the function's documentation in Markdown. It only reads. The few
 * buttons that change something call another function.
 */
export const drawConsole = async (
  dependencies: DrawConsoleDependencies,
  received: unknown,
  ownArn: string,
): Promise<string> => {
  const { describes, context, params } = readCall(received);
  if (describes) return describeConsole;
  const { steering, beginning, clock } = dependencies;
  const drawing = new Drawing({ ...context, console: ownArn, steering, beginning, nowMs: clock() });
  return (await drawView(dependencies, drawing, context, params)).source;
};

const draw = bind(drawConsole, {
  ledger,
  workflow,
  settings,
  files,
  zipProofs,
  pace,
  steering: steeringFunction,
  beginning: beginningFunction,
  oldest: () => oldest,
  uploadPage,
});

export const handler = (received: unknown, { invokedFunctionArn }: Pick<Context, 'invokedFunctionArn'>) =>
  draw(received, invokedFunctionArn);
