import type { Payout, Rail } from '../../../functions/domain/payout/payout.ts';
import type { Disbursement, Lookup } from '../../../functions/ports/provider.ts';
import { documentedTraits } from '../../../functions/provider/settings.ts';
import { webhookNames } from '../../../functions/provider/webhook-names.ts';
import type { ApplyDependencies } from '../../../functions/webhooks/apply.ts';
import { findCandidates } from '../../../functions/webhooks/find-candidates.ts';
import { idr } from '../../support/money.ts';
import { exampleChunk } from '../../support/scenes/example-batch.ts';

export const disbursement: Disbursement = {
  disbursementId: 'd-1',
  reference: 'r-1',
  rail: 'fiat',
  amount: idr('250.1'),
  fee: idr('4'),
  status: 'completed',
  providerStatus: 'completed',
};

export const now = '2026-01-05T09:10:00.000Z';

/** One payout, a provider with one answer, and the effects. */
export const world = (
  held: Payout,
  says: (rail: Rail, id: string) => Lookup,
  byReference?: readonly Disbursement[],
) => {
  let current = held;
  const time = { now: Date.parse(now) };
  const hidden: (readonly [string, number])[] = [];
  const aside: string[] = [];
  const lookups = new Map<string, { askedAt?: string; finishedAskedAt?: string }>();
  const references = new Map<string, string>();
  const asked: string[] = [];
  const refreshed: string[] = [];
  const lines: { readonly code: string }[] = [];
  const write = (code: string, fields?: object) => void lines.push({ code, ...fields });
  const dependencies: ApplyDependencies = {
    ledger: {
      findReferenceOf: async (id) => references.get(id),
      getPayoutByReference: async (reference) => (reference === current.reference ? current : undefined),
      movePayout: async (_key, transition, changes) => {
        if (!transition.from.includes(current.status)) return { kind: 'refused', payout: current };
        current = { ...current, ...changes, status: transition.to, updatedAt: now };
        return { kind: 'moved', payout: current };
      },
      countAbsence: async () => {
        throw new Error('no hint proves an absence');
      },
      recordContradiction: async (_payout, contradiction) => {
        const contradictions = [...(current.contradictions ?? []), { ...contradiction, at: now }];
        current = { ...current, contradictions, updatedAt: now };
        return { kind: 'moved', payout: current };
      },
      refreshChunk: async (batchId, chunk) => {
        refreshed.push(`${batchId}/${chunk}`);
        return exampleChunk(batchId, { chunk, version: 2 });
      },
      beginLookup: async (subject, { receivedAt, windowSeconds }) => {
        const of = JSON.stringify(subject);
        const lookup = lookups.get(of) ?? {};
        const askedAt = new Date(time.now).toISOString();
        if ((lookup.finishedAskedAt ?? '') > receivedAt) return { kind: 'covered' };
        const free = new Date(Date.parse(lookup.askedAt ?? '1970-01-01T00:00:00.000Z') + windowSeconds * 1000);
        if (free.getTime() > time.now) {
          const until = free.toISOString();
          const { askedAt: began = '' } = lookup;
          return began > receivedAt ? { kind: 'under_way', askedAt: began, until } : { kind: 'closed', until };
        }
        lookups.set(of, { ...lookup, askedAt });
        return { kind: 'begun', askedAt };
      },
      finishLookup: async (subject, askedAt, reference) => {
        const of = JSON.stringify(subject);
        lookups.set(of, { ...lookups.get(of), finishedAskedAt: askedAt });
        if ('id' in subject && reference !== undefined) references.set(subject.id, reference);
      },
    },
    hintQueue: {
      hide: async (handle, seconds) => void hidden.push([handle, seconds]),
      setAside: async (text) => void aside.push(text),
    },
    clock: () => time.now,
    lookupWindowSeconds: 30,
    waitsSeconds: [30, 60, 120],
    provider: {
      traits: documentedTraits(),
      lookUp: async (rail, id, urgency) => {
        asked.push(`${rail} ${id}${urgency?.isSpare ? ', spare' : ''}`);
        return says(rail, id);
      },
      listByReference: async (_rail, reference) => {
        asked.push(`list ${reference}`);
        if (byReference === undefined) throw new Error('no answer is scripted for listByReference');
        return byReference;
      },
    },
    log: { info: write, warn: write, alarm: write },
  };
  return { dependencies, asked, refreshed, lines, hidden, aside, time, held: () => current };
};

/** The default time of these tests' hints. */
const receivedAt = '2026-01-05T09:09:59.000Z';

/** The hints of these bodies, as queued by the stream's handler and delivered by the queue. */
export const queued = (...bodies: readonly string[]) => ({
  Records: bodies.map((body, index) => ({
    messageId: `${index + 1}`,
    receiptHandle: `handle-${index + 1}`,
    body: JSON.stringify({
      webhook: `hash-${index + 1}`,
      receivedAt,
      candidates: [],
      ...findCandidates(webhookNames, body),
    }),
    attributes: { ApproximateReceiveCount: 1 },
  })),
});

/** One hint at its n-th attempt. */
export const tried = (times: number, body = '{"reference":"r-1"}', cameAt = receivedAt) => ({
  Records: queued(body).Records.map((one) => ({
    ...one,
    body: JSON.stringify({ ...JSON.parse(one.body), receivedAt: cameAt }),
    attributes: { ApproximateReceiveCount: times },
  })),
});

/** The provider has the disbursement, with these differences. */
export const found =
  (differences: Partial<Disbursement> = {}) =>
  (): Lookup => ({
    kind: 'found',
    disbursement: { ...disbursement, ...differences },
  });
