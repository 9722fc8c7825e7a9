import * as z from 'zod';
import type { Fault, Strike, Struck } from '../domain/sandbox/faults.ts';
import { nothingStrikes } from '../domain/sandbox/faults.ts';
import type { Context } from '../store/context.ts';
import type { Answer } from './answers.ts';
import { failure } from './answers.ts';

/** Every answer that a fault affected has this header, and no other answer does: the faults' names, comma-separated. */
const faultHeader = 'x-sandbox-fault';

type Chance = Pick<Context, 'pause' | 'random'>;

/**
 * A lost connection, as the caller sees it. A function cannot close its caller's connection, because a gateway stands
 * between them. Instead, it answers in the gateway's words: immediately, or after a silence longer than the caller may
 * wait.
 */
const dropped = async ({ pause }: Chance, { seconds }: Struck): Promise<Answer> => {
  if (seconds > 0) await pause(seconds * 1000);
  const [statusCode, message] = seconds > 0 ? [504, 'Endpoint request timed out'] : [502, 'Internal server error'];
  return { kind: 'content', statusCode, contentType: 'application/json', content: JSON.stringify({ message }) };
};

type Change = (chance: Chance, struck: Struck) => Answer | Promise<Answer>;

/** These faults strike before the work, which is then not done. */
const insteadOfTheWork: readonly (readonly [Fault, Change])[] = [
  ['refuse-credentials', () => failure(401, 'Unauthorized')],
  ['rate-limit', (_, { seconds }) => failure(429, 'Too many requests', { 'retry-after': seconds.toString() })],
  ['drop-before', dropped],
  ['error-before', () => failure(500, 'Internal server error')],
];

type Json = Extract<Answer, { readonly kind: 'json' }>;

const isJson = (answer: Answer): answer is Json => answer.kind === 'json';
const isSuccess = ({ statusCode }: Answer): boolean => statusCode < 300;

/** Half of a JSON object is never valid JSON. */
const cutOff = ({ statusCode, body }: Json): Answer => {
  const text = JSON.stringify(body);
  const content = text.slice(0, Math.floor(text.length / 2));
  return { kind: 'content', statusCode, contentType: 'application/json', content };
};

const fields = z.record(z.string(), z.unknown());

interface Listed {
  readonly items: readonly unknown[];
  readonly having: (items: readonly unknown[]) => Answer;
}

/** The list in an answer's body, and a way to make the same answer with other items. */
const listedIn = (answer: Answer): Listed | undefined => {
  if (!isJson(answer) || !isSuccess(answer)) return undefined;
  const { data } = fields.parse(answer.body);
  const having = (other: unknown): Answer => ({ ...answer, body: { ...answer.body, data: other } });
  if (Array.isArray(data)) return { items: data, having };
  const inside = fields.safeParse(data).data ?? {};
  for (const name of ['docs', 'disburseData']) {
    const items = inside[name];
    if (Array.isArray(items)) return { items, having: (others) => having({ ...inside, [name]: others }) };
  }
  return undefined;
};

/** Changes a list in the answer. Undefined when there is none of at least `least` items. */
const editList =
  (least: number, edit: (items: readonly unknown[], chance: Chance) => readonly unknown[]) =>
  (answer: Answer): Change | undefined => {
    const listed = listedIn(answer);
    if (listed === undefined || listed.items.length < least) return undefined;
    return (chance) => listed.having(edit(listed.items, chance));
  };

/**
 * These faults change the answer after the work is done. Undefined where the fault would have no effect. "After" means
 * after a success: a refused request did no work.
 */
const insteadOfTheAnswer: readonly (readonly [Fault, (answer: Answer) => Change | undefined])[] = [
  ['drop-after', (answer) => (isSuccess(answer) ? dropped : undefined)],
  ['error-after', (answer) => (isSuccess(answer) ? () => failure(500, 'Internal server error') : undefined)],
  ['unparsable', (answer) => (isJson(answer) ? () => cutOff(answer) : undefined)],
  [
    'contradiction',
    (answer) =>
      isJson(answer) && 'statusCode' in answer.body
        ? () => ({ ...answer, statusCode: isSuccess(answer) ? 500 : 200 })
        : undefined,
  ],
  ['items-missing', editList(1, (items, { random }) => items.toSpliced(Math.floor(random() * items.length), 1))],
  ['items-reordered', editList(2, (items) => items.toReversed())],
];

type Work = (context: Context) => Promise<Answer>;

const workOrNot = async (context: Context, work: Work): Promise<Answer> => {
  const { strike } = context;
  for (const [fault, instead] of insteadOfTheWork) {
    const struck = await strike(fault);
    if (struck !== undefined) return await instead(context, struck);
  }
  const answer = await work(context);
  for (const [fault, changeOf] of insteadOfTheAnswer) {
    const change = changeOf(answer);
    if (change === undefined) continue;
    const struck = await strike(fault);
    if (struck !== undefined) return await change(context, struck);
  }
  return answer;
};

/**
 * Answers a request with the faults that strike it: at most one replaces the work or changes the answer, and slowness
 * can add to it. The header names every fault that struck, including those inside the store.
 */
export const answerFaultily = async (context: Context, work: Work): Promise<Answer> => {
  if (context.strike === nothingStrikes) return await work(context);
  const names: Fault[] = [];
  const strike: Strike = async (fault, applies) => {
    const struck = await context.strike(fault, applies);
    if (struck !== undefined) names.push(fault);
    return struck;
  };
  const answer = await workOrNot({ ...context, strike }, work);
  const slow = await strike('slow');
  if (slow !== undefined) await context.pause(slow.seconds * 1000);
  return names.length === 0 ? answer : { ...answer, headers: { ...answer.headers, [faultHeader]: names.join(', ') } };
};
