import type { SeededRandom } from '../random.ts';

/** A request that a function of the orchestrator sends, as far as its treatment depends on it. */
export interface SeenRequest {
  /** Name of the function that sends it; empty when it is not one of the orchestrator's. */
  readonly caller: string;
  readonly method: string;
  readonly path: string;
  /** `DynamoDB_20120810.PutItem`; empty where the protocol has no such header. */
  readonly target: string;
}

/**
 * What becomes of a request on its way.
 *
 * - `cut-before`: the connection is cut before anything is handed on;
 * - `cut-after`: it is handed on, and the connection is cut instead of answered;
 * - `cut-amid`: the same, after half of the answer;
 * - `stall`: answered, but later than anybody waits;
 * - `throttle`: not handed on; answered as AWS answers when it is asked too much;
 * - `die`: answered, and the process that asked ends before it sees the answer;
 * - `freeze`: answered, and the process that asked stands still before it sees the answer, until it is out of time.
 */
export const troubles = ['cut-before', 'cut-after', 'cut-amid', 'stall', 'throttle', 'die', 'freeze'] as const;
export type Trouble = (typeof troubles)[number];

/** Which traffic of a function it is. */
export type Traffic = 'money' | 'provider' | 'ledger';

/** A POST to it may move money. */
const movesMoney = /^\/(v\d\/disbursement|v1\/convert)/;

/** The payment service's stage has this name; the local AWS serves every API below a path of its own. */
const provider = /^\/_aws\/execute-api\/[^/]+\/service(\/.*)$/;

export const isProviderPath = (path: string): boolean => provider.test(path);

const writes = /\.(PutItem|UpdateItem|DeleteItem|TransactWriteItems)$/;

export const trafficOf = ({ caller, method, path, target }: SeenRequest): Traffic | undefined => {
  if (caller === '') return undefined;
  const asked = provider.exec(path)?.[1];
  if (asked !== undefined) return method === 'POST' && movesMoney.test(asked) ? 'money' : 'provider';
  return target.startsWith('DynamoDB') && writes.test(target) ? 'ledger' : undefined;
};

/** Steps that Step Functions runs: ended in the middle they are run again, or another step finds out what they did. */
const mayBeEnded = /(Convert|SubmitChunk|EndSubmit|Follow|HandOver|ApplyWebhook)/;

/** Those whose time is short enough here for standing still until it is over. */
const mayBeFrozen = /(Convert|SubmitChunk|Follow)/;

/**
 * Probability of each trouble. Those of requests to the provider come on top of the faults of the service itself; those
 * at the ledger are few, since a step makes ten requests to it for every one to the provider.
 */
const probabilities: Readonly<Record<Traffic, Partial<Readonly<Record<Trouble, number>>>>> = {
  money: { 'cut-before': 0.02, 'cut-after': 0.03, 'cut-amid': 0.02, stall: 0.02, die: 0.03, freeze: 0.03 },
  provider: { 'cut-before': 0.01, 'cut-after': 0.01, 'cut-amid': 0.01, stall: 0.005, die: 0.002, freeze: 0.002 },
  ledger: { 'cut-before': 0.003, 'cut-after': 0.003, throttle: 0.005, die: 0.003, freeze: 0.001 },
};

/** Decides about one request: undefined lets it pass as it is. Rolls once, whatever comes of it. */
export const treatmentOf = (random: SeededRandom, request: SeenRequest): Trouble | undefined => {
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
