import type { Chance } from '../../support/chance.ts';

/** A request of an orchestrator's function, reduced to what its treatment depends on. */
export interface SeenRequest {
  /** Name of the function that sends it. Empty for other senders. */
  readonly caller: string;
  readonly method: string;
  readonly path: string;
  /** `DynamoDB_20120810.PutItem`. Empty when the protocol has no such header. */
  readonly target: string;
}

/**
 * Treatments of a request.
 *
 * - `cut-before`: the connection is cut before anything is forwarded;
 * - `cut-after`: it is forwarded, and the connection is cut instead of answered;
 * - `cut-amid`: the same, after half of the answer;
 * - `stall`: answered later than any client waits;
 * - `throttle`: not forwarded, but answered as AWS answers too many requests;
 * - `die`: answered, and the sending process ends before it sees the answer;
 * - `freeze`: answered, and the sending process stops before it sees the answer, until its timeout.
 */
export const troubles = ['cut-before', 'cut-after', 'cut-amid', 'stall', 'throttle', 'die', 'freeze'] as const;
export type Trouble = (typeof troubles)[number];

/** The target of a function's request. */
export type Traffic = 'money' | 'provider' | 'ledger';

/** Paths whose POST may move money. */
const movesMoney = /^\/(v\d\/disbursement|v1\/convert)/;

/** The name of the payment service's stage. The local AWS serves every API below a path of its own. */
const provider = /^\/_aws\/execute-api\/[^/]+\/service(\/.*)$/;

export const isProviderPath = (path: string): boolean => provider.test(path);

const writes = /\.(PutItem|UpdateItem|DeleteItem|TransactWriteItems)$/;

export const trafficOf = ({ caller, method, path, target }: SeenRequest): Traffic | undefined => {
  if (caller === '') return undefined;
  const asked = provider.exec(path)?.[1];
  if (asked !== undefined) return method === 'POST' && movesMoney.test(asked) ? 'money' : 'provider';
  return target.startsWith('DynamoDB') && writes.test(target) ? 'ledger' : undefined;
};

/** Steps that Step Functions repeats when they die, or whose effect another step discovers. */
const mayBeEnded = /(Convert|SubmitChunk|EndSubmit|Follow|HandOver|ApplyWebhook)/;

/** Steps whose timeout is short enough here to freeze until it. */
const mayBeFrozen = /(Convert|SubmitChunk|Follow)/;

/**
 * Probability of each trouble. For the provider they add to the faults of the service itself. For the ledger they are low,
 * because a step makes ten requests to it for each one to the provider.
 */
const probabilities: Readonly<Record<Traffic, Partial<Readonly<Record<Trouble, number>>>>> = {
  money: { 'cut-before': 0.02, 'cut-after': 0.03, 'cut-amid': 0.02, stall: 0.02, die: 0.03, freeze: 0.03 },
  provider: { 'cut-before': 0.01, 'cut-after': 0.01, 'cut-amid': 0.01, stall: 0.005, die: 0.002, freeze: 0.002 },
  ledger: { 'cut-before': 0.003, 'cut-after': 0.003, throttle: 0.005, die: 0.003, freeze: 0.001 },
};

/** Decides about one request. Undefined lets it pass. Always draws one number. */
export const treatmentOf = (random: Chance, request: SeenRequest): Trouble | undefined => {
  const traffic = trafficOf(request);
  if (traffic === undefined) return undefined;
  let roll = random.next();
  for (const trouble of troubles) {
    const probability = probabilities[traffic][trouble] ?? 0;
    if (roll < probability) {
      if (trouble === 'die' && !mayBeEnded.test(request.caller)) return undefined;
      if (trouble === 'freeze' && !mayBeFrozen.test(request.caller)) return undefined;
      return trouble;
    }
    roll -= probability;
  }
  return undefined;
};
