import { hash } from 'node:crypto';
import * as z from 'zod';
import { InvariantBroken } from '../../domain/errors.ts';
import { isoNow } from '../../ports/environment.ts';
import type { BeginLookup, LookupSubject, WebhookLedger } from '../../ports/ledger/webhook-ledger.ts';
import { expiresAfter } from '../table/expiry.ts';
import { absent, absentOrBelow, and, atMost, or, present, setting } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { keys } from '../table/keys.ts';
import { reading } from '../table/reading.ts';
import type { PartDependencies } from '../table/store.ts';
import { creating, updating } from '../table/writes.ts';

/** Long enough to investigate a complaint. A webhook is a hint, and nothing depends on it. */
const webhookDays = 30;
/** A finished lookup matters only while older hints may exist: a dead-letter queue keeps hints for 14 days. */
const lookupDays = 15;

/** The last lookup for a webhook: its time and owner, the last one that finished, and the reference that an id belongs to. */
const readLookup = reading('lookup', () =>
  z.object({
    askedAt: z.string(),
    askedBy: z.string(),
    finishedAskedAt: z.string().exactOptional(),
    reference: z.string().exactOptional(),
  }),
);

const hashOf = (id: string): string => hash('sha256', id);

const keyOf = (subject: LookupSubject): Key =>
  'id' in subject ? keys.lookupOfId(hashOf(subject.id)) : keys.lookup(subject.reference);

const later = (at: string, seconds: number): string => new Date(Date.parse(at) + seconds * 1000).toISOString();

/** Stores webhooks, each body once, and limits the lookups that they cause. */
export const createWebhooks = ({ store, clock, ids }: PartDependencies): WebhookLedger => ({
  /**
   * Writes the body only when it is new, and the time always. Refuses an arrival that is not the latest: the later one is in the
   * stream, and its lookup covers both.
   *
   * A signed message's mark is written together with its arrival. A message whose storing failed is sent again, and must not be
   * mistaken for a known one.
   */
  storeWebhook: async ({ hash: bodyHash, body, receivedAt, signedId }) => {
    const key = keys.webhook(bodyHash);
    const expiresAt = expiresAfter(receivedAt, webhookDays);
    const update = {
      text: 'SET #hash = :hash, #body = if_not_exists(#body, :body), #receivedAt = :receivedAt, #expiresAt = :expiresAt',
      values: { ':hash': bodyHash, ':body': body, ':receivedAt': receivedAt, ':expiresAt': expiresAt },
    };
    const condition = absentOrBelow('receivedAt', receivedAt);
    if (signedId === undefined) return (await store.update(key, update, condition)).kind === 'written';
    const item = { ...keys.webhookMessage(bodyHash, hashOf(signedId)), expiresAt };
    const stored = await store.transact([creating(item), updating(key, update, condition)]);
    return stored.kind === 'written';
  },

  /**
   * Compares the times of different functions' clocks, which agree to within a few milliseconds. A webhook takes longer than that
   * to arrive after its change. So a lookup that seems to begin after the arrival does see the change.
   */
  beginLookup: async (subject, { receivedAt, windowSeconds }): Promise<BeginLookup> => {
    const askedAt = isoNow(clock);
    const askedBy = ids.unique();
    const result = await store.update(
      keyOf(subject),
      setting({ askedAt, askedBy, expiresAt: expiresAfter(askedAt, lookupDays) }),
      and(
        or(absent('askedAt'), atMost('askedAt', later(askedAt, -windowSeconds))),
        or(absent('finishedAskedAt'), atMost('finishedAskedAt', receivedAt)),
      ),
    );
    if (result.kind === 'written') return { kind: 'begun', askedAt };
    if (result.item === undefined) throw new InvariantBroken('lookup_refused_without_one');
    const existing = readLookup(result.item);
    // The response to this write was lost, and the SDK repeated it.
    if (existing.askedBy === askedBy) return { kind: 'begun', askedAt };
    if (existing.finishedAskedAt !== undefined && existing.finishedAskedAt > receivedAt) return { kind: 'covered' };
    const until = later(existing.askedAt, windowSeconds);
    if (existing.askedAt > receivedAt) return { kind: 'under_way', askedAt: existing.askedAt, until };
    return { kind: 'closed', until };
  },

  finishLookup: async (subject, askedAt, reference) => {
    // Fails when a later lookup finished first, which covers more. An expired item needs no mark.
    const condition = and(present('askedAt'), absentOrBelow('finishedAskedAt', askedAt));
    await store.update(keyOf(subject), setting({ finishedAskedAt: askedAt, reference }), condition);
  },

  findReferenceOf: async (id) => (await store.read(keyOf({ id }), readLookup))?.reference,
});
