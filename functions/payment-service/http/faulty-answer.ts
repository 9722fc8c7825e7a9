import * as z from 'zod';
import type { Fault, Strike, Struck } from '../domain/sandbox/faults.ts';
import { nothingStrikes } from '../domain/sandbox/faults.ts';
import type { Context } from '../store/context.ts';
import type { Answer } from './answers.ts';
import { failure } from './answers.ts';

/** Stands in every answer that a fault had a part in, and in no other: names of faults, with commas. */
const faultHeader = 'x-sandbox-fault';

type Chance = Pick<Context, 'pause' | 'random'>;

/**
 * What a caller sees of a lost connection. A function behind a gateway cannot close its caller's: the gateway tells of it,
 * in its own words instead of the service's, at once or after a silence that may outlast the caller's patience.
 */
const dropped = async ({ pause }: Chance, { seconds }: Struck): Promise<Answer> => {
  if (seconds > 0) await pause(seconds * 1000);
  const [statusCode, message] = seconds > 0 ? [504, 'Endpoint request timed out'] : [502, 'Internal server error'];
  return { kind: 'content', statusCode, contentType: 'application/json', content: JSON.stringify({ message }) };
};

type InsteadOfTheWork = (chance: Chance, struck: Struck) => Answer | Promise<Answer>;

/** Nothing was done, and the answer says what it says. */
const insteadOfTheWork: readonly (readonly [Fault, InsteadOfTheWork])[] = [
  ['refuse-credentials', () => failure(401, 'Unauthorized')],
  ['rate-limit', (_, { seconds }) => failure(429, 'Too many requests', { 'retry-after': seconds.toString() })],
  ['drop-before', dropped],
  ['error-before', () => failure(500, 'Internal server error')],
];

type Json = Extract<Answer, { readonly kind: 'json' }>;

const isJson = (answer: Answer): answer is Json => answer.kind === 'json';
const statusOf = (answer: Answer): number => (answer.kind === 'file' ? 200 : answer.statusCode);
const isSuccess = (answer: Answer): boolean => statusOf(answer) < 300;

/** Half of an object is none. */
const cutOff = (answer: Json): Answer => {
  const text = JSON.stringify(answer.body);
  const content = text.slice(0, Math.floor(text.length / 2));
  return { kind: 'content', statusCode: answer.statusCode, contentType: 'application/json', content };
};

const listAlone = z.looseObject({ data: z.array(z.unknown()) });
const listInside = z.looseObject({ data: z.record(z.string(), z.unknown()) });

interface Listed {
  readonly items: readonly unknown[];
  readonly having: (items: readonly unknown[]) => Answer;
}

/** The items of an answer, wherever its body has them, and the same answer with others. */
const listedIn = (answer: Answer): Listed | undefined => {
  if (!isJson(answer) || !isSuccess(answer)) return undefined;
  const alone = listAlone.safeParse(answer.body).data;
  if (alone !== undefined) {
    return { items: alone.data, having: (items) => ({ ...answer, body: { ...alone, data: items } }) };
  }
  const inside = listInside.safeParse(answer.body).data;
  if (inside === undefined) return undefined;
  for (const name of ['docs', 'disburseData']) {
    const items = inside.data[name];
    if (Array.isArray(items)) {
      return {
        items,
        having: (others) => ({ ...answer, body: { ...inside, data: { ...inside.data, [name]: others } } }),
      };
    }
  }
  return undefined;
};

const oneMissing = (answer: Answer, random: () => number): Answer => {
  const listed = listedIn(answer);
  if (listed === undefined) return answer;
  const { items, having } = listed;
  return having(items.toSpliced(Math.floor(random() * items.length), 1));
};

const reversed = (answer: Answer): Answer => {
  const listed = listedIn(answer);
  return listed === undefined ? answer : listed.having(listed.items.toReversed());
};

interface InsteadOfTheAnswer {
  /** Whether it would be felt. What was refused was not done, so that "after the work" is about successes alone. */
  readonly applies: (answer: Answer) => boolean;
  readonly change: (answer: Answer, chance: Chance, struck: Struck) => Answer | Promise<Answer>;
}

/** The work was done, as it always is. */
const insteadOfTheAnswer: readonly (readonly [Fault, InsteadOfTheAnswer])[] = [
  ['drop-after', { applies: isSuccess, change: (_, chance, struck) => dropped(chance, struck) }],
  ['error-after', { applies: isSuccess, change: () => failure(500, 'Internal server error') }],
  ['unparsable', { applies: isJson, change: (answer) => (isJson(answer) ? cutOff(answer) : answer) }],
  [
    'contradiction',
    {
      applies: (answer) => isJson(answer) && 'statusCode' in answer.body,
      change: (answer) => (isJson(answer) ? { ...answer, statusCode: isSuccess(answer) ? 500 : 200 } : answer),
    },
  ],
  [
    'items-missing',
    {
      applies: (answer) => (listedIn(answer)?.items.length ?? 0) > 0,
      change: (answer, { random }) => oneMissing(answer, random),
    },
  ],
  ['items-reordered', { applies: (answer) => (listedIn(answer)?.items.length ?? 0) > 1, change: reversed }],
];

type Work = (context: Context) => Promise<Answer>;

const workOrNot = async (context: Context, work: Work): Promise<Answer> => {
  const { strike } = context;
  for (const [fault, instead] of insteadOfTheWork) {
    const struck = await strike(fault);
    if (struck !== undefined) return await instead(context, struck);
  }
  const answer = await work(context);
  for (const [fault, { applies, change }] of insteadOfTheAnswer) {
    const struck = await strike(fault, () => applies(answer));
    if (struck !== undefined) return await change(answer, context, struck);
  }
  return answer;
};

/**
 * Answers a request with the faults that strike it: at most one in place of the work or of its answer, and slowness besides.
 * The header names every fault that struck, also those that strike inside the store.
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
