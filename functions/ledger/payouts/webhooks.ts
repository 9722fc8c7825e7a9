import { createHash } from 'node:crypto';
import { InvariantBroken } from '../../domain/errors.ts';
import { isoNow } from '../../ports/environment.ts';
import type { ArrivedWebhook, BeginLookup, LookupSubject, WebhookLedger } from '../../ports/ledger/webhook-ledger.ts';
import { absent, and, atMost, below, or, present, setting } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { keys } from '../table/keys.ts';
import type { LedgerDependencies } from '../table/store.ts';
import { createStore } from '../table/store.ts';
import { arrival, lookupExpiresAt, readLookup, webhookExpiresAt } from './webhook-codec.ts';

const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex');

const keyOf = (subject: LookupSubject): Key =>
  'id' in subject ? keys.lookupOfId(hashOf(subject.id)) : keys.lookup(subject.reference);

const later = (at: string, seconds: number): string => new Date(Date.parse(at) + seconds * 1000).toISOString();

/** Keeping webhooks, each body once, and bounding what is asked because of them. */
export const createWebhooks = (dependencies: LedgerDependencies): WebhookLedger => {
  const { clock, ids } = dependencies;
  const store = createStore(dependencies);

  /** An arrival that is not the latest is refused: the later one is in the stream and is asked about after both. */
  const write = (webhook: ArrivedWebhook) => ({
    key: keys.webhook(webhook.hash),
    update: arrival(webhook),
    condition: or(absent('receivedAt'), below('receivedAt', webhook.receivedAt)),
  });

  /**
   * The mark of a signed message is written with the arrival it came with, never before: a message whose storing failed is
   * sent again and must not be taken for known.
   */
  const storeWebhook: WebhookLedger['storeWebhook'] = async (webhook) => {
    const { key, update, condition } = write(webhook);
    const { hash, receivedAt, signedId } = webhook;
    if (signedId === undefined) return (await store.update(key, update, condition)).kind === 'written';
    const item = { ...keys.webhookMessage(hash, hashOf(signedId)), expiresAt: webhookExpiresAt(receivedAt) };
    const stored = await store.transact([
      { kind: 'put', item, condition: absent('pk') },
      { kind: 'update', key, update, condition },
    ]);
    return stored.kind === 'written';
  };

  /**
   * Times are compared as the functions' clocks tell them, which agree to within a few milliseconds; a webhook travels
   * longer than that after the change it tells of, so a look-up that seems to begin after it came does see the change.
   */
  const beginLookup: WebhookLedger['beginLookup'] = async (
    subject,
    { receivedAt, windowSeconds },
  ): Promise<BeginLookup> => {
    const askedAt = isoNow(clock);
    const askedBy = ids.unique();
    const result = await store.update(
      keyOf(subject),
      setting({ askedAt, askedBy, expiresAt: lookupExpiresAt(askedAt) }),
      and(
        or(absent('askedAt'), atMost('askedAt', later(askedAt, -windowSeconds))),
        or(absent('finishedAskedAt'), atMost('finishedAskedAt', receivedAt)),
      ),
    );
    if (result.kind === 'written') return { kind: 'begun', askedAt };
    if (result.item === undefined) throw new InvariantBroken('lookup_refused_without_one');
    const standing = readLookup(result.item);
    // The answer of this very write was lost, and the SDK made it again.
    if (standing.askedBy === askedBy) return { kind: 'begun', askedAt };
    if (standing.finishedAskedAt !== undefined && standing.finishedAskedAt > receivedAt) return { kind: 'covered' };
    const until = later(standing.askedAt, windowSeconds);
    if (standing.askedAt > receivedAt) return { kind: 'under_way', askedAt: standing.askedAt, until };
    return { kind: 'closed', until };
  };

  const finishLookup: WebhookLedger['finishLookup'] = async (subject, askedAt, reference) => {
    // Refused where a later one was finished first, which says more; an item that has expired needs no mark.
    await store.update(
      keyOf(subject),
      setting({ finishedAskedAt: askedAt, ...(reference === undefined ? {} : { reference }) }),
      and(present('askedAt'), or(absent('finishedAskedAt'), below('finishedAskedAt', askedAt))),
    );
  };

  const findReferenceOf: WebhookLedger['findReferenceOf'] = async (id) => {
    const item = await store.get(keyOf({ id }));
    return item === undefined ? undefined : readLookup(item).reference;
  };

  return { storeWebhook, beginLookup, finishLookup, findReferenceOf };
};
