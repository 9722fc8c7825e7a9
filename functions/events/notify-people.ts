import middy from '@middy/core';
import * as z from 'zod';
import { InvariantBroken } from '../domain/errors.ts';
import { cloudEvent } from '../domain/events/cloud-event.ts';
import type { Needs } from '../ports/needs.ts';
import { apiUrl, ledger, log, people } from '../runtime.ts';
import { batchDataOf, occasionOf, wordNotice } from './notice.ts';

type NotifyPeopleDependencies = Needs<{ ledger: 'getBatch' | 'readProgress' }, 'people' | 'log'> & {
  readonly apiUrl: string;
};

/** An event as delivered by the bus. */
const busEvent = z.object({ detail: cloudEvent() });

/** Sends people a notice about a batch, when the event needs one. An event that arrives twice is sent twice. */
export const notifyPeople = async (
  { ledger, people, log, apiUrl }: NotifyPeopleDependencies,
  { detail }: z.infer<typeof busEvent>,
): Promise<void> => {
  const data = batchDataOf(detail);
  if (data === undefined || occasionOf(data) === undefined) return;
  const batch = await ledger.getBatch(data.batchId);
  if (batch === undefined) throw new InvariantBroken(`event_without_batch: ${data.batchId}`);
  const progress = await ledger.readProgress(data.batchId, { consistent: true });
  const notice = wordNotice(detail, batch, progress, apiUrl);
  if (notice === undefined) return;
  await people.notify(notice);
  log.info('events.people_told', { event: detail.id, type: detail.type });
};

export const handler = middy<unknown, void>().handler((event: unknown) =>
  notifyPeople({ ledger: ledger(), people: people(), apiUrl: apiUrl(), log }, busEvent.parse(event)),
);
