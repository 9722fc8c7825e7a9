import { setTimeout as wait } from 'node:timers/promises';
import type { Chance } from '../../support/chance.ts';
import type { ServiceDisbursement } from '../truth/service-truth.ts';
import { readServiceTruth } from '../truth/service-truth.ts';
import type { ServiceClient } from './service-client.ts';

export interface NoiseCounts {
  /** False bodies, about existing and invented payouts. */
  forged: number;
  /** Copies of a body, sent concurrently or later. */
  repeated: number;
  /** Statuses set at the service, each of which sends a genuine webhook. */
  genuine: number;
}

/** Seconds between two rounds. */
const pauseSeconds = 12;
const forgedARound = 12;
const repeatedARound = 6;
const genuineARound = 4;

const statuses = ['completed', 'failed', 'canceled', 'pending', 'need_check', 'paid'] as const;

/** An attacker who knows the webhook address. Continues until stopped. */
export const makeNoise = async (
  service: ServiceClient,
  references: readonly string[],
  random: Chance,
  stop: AbortSignal,
): Promise<NoiseCounts> => {
  const anyOf = <Item>([first, ...others]: readonly Item[]): Item => {
    if (first === undefined) throw new Error('there is nothing to pick from');
    return random.pick([first, ...others]);
  };
  const counts: NoiseCounts = { forged: 0, repeated: 0, genuine: 0 };
  const post = async (body: unknown): Promise<void> => {
    // The receiver may refuse a flood, so the answer does not matter.
    await service.postWebhook(body).catch(() => 0);
  };
  const forge = async (known: readonly ServiceDisbursement[]): Promise<void> => {
    const about = random.happens(0.7) && known.length > 0 ? anyOf(known) : undefined;
    const disbursementId = about?.disbursementId ?? `dsb_${random.int(0, 2 ** 32).toString(16)}`;
    const reference = about?.reference ?? anyOf(references);
    counts.forged += 1;
    await post({
      event: 'disbursement.updated',
      data: { disbursementId, reference, status: random.pick(statuses), amount: 1 },
    });
  };
  const repeat = async (known: readonly ServiceDisbursement[]): Promise<void> => {
    const about = anyOf(known);
    const body = {
      event: 'disbursement.updated',
      data: { disbursementId: about.disbursementId, status: about.status },
    };
    const copies = random.int(2, 4);
    counts.repeated += copies - 1;
    await Promise.all(Array.from({ length: copies }, () => post(body)));
  };
  const setStatus = async (pending: readonly ServiceDisbursement[]): Promise<void> => {
    const about = anyOf(pending);
    const taken = await service
      .setStatus(about.disbursementId, random.pick(['completed', 'completed', 'failed']))
      .catch(() => false);
    if (taken) counts.genuine += 1;
  };
  while (!stop.aborted) {
    const { disbursements } = await readServiceTruth();
    const pending = disbursements.filter(({ status }) => status === 'pending');
    for (let n = 0; n < forgedARound && !stop.aborted; n += 1) await forge(disbursements);
    for (let n = 0; n < repeatedARound && disbursements.length > 0 && !stop.aborted; n += 1)
      await repeat(disbursements);
    for (let n = 0; n < genuineARound && pending.length > 0 && !stop.aborted; n += 1) await setStatus(pending);
    await wait(pauseSeconds * 1000, undefined, { signal: stop }).catch(() => {});
  }
  return counts;
};
