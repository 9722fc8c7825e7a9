import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { batchTransitions } from '../../../functions/domain/batch/batch-status.ts';
import { eventTypes, numberNews } from '../../../functions/domain/events/cloud-event.ts';
import type { News } from '../../../functions/domain/events/news.ts';
import { batchNews, contradictionNews, payoutNews } from '../../../functions/domain/events/news.ts';
import { payoutStatusesThat } from '../../../functions/domain/payout/payout-status.ts';
import { eventSchemasText } from '../../../functions/events/schemas/document.ts';
import { payout } from '../api/fixtures.ts';

const at = '2026-01-05T09:00:00.000Z';
const reason = { code: 'why_so', message: 'A sentence, which may quote somebody.' };
const contradiction = { code: 'changed_after_end', disbursementId: 'd-1', observed: 'failed' } as const;

/** One of each kind of news in the ledger. */
const everyNews: readonly News[] = [
  batchNews(at, { event: 'batch.accepted', to: 'accepted' }),
  ...Object.values(batchTransitions).map((transition) => batchNews(at, transition, reason)),
  ...payoutStatusesThat('isNews').map((status) => payoutNews(at, payout({ status: 'pending' }), status, reason)),
  contradictionNews(at, payout({ status: 'completed' }), contradiction),
  contradictionNews(at, payout({ status: 'failed' }), { ...contradiction, observed: 'completed' }),
];

const { events } = numberNews('b-1', { sequence: 0 }, everyNews, { completed: 3, failed: 1 });

const schemas = new Ajv2020({ strict: false }).addSchema(JSON.parse(eventSchemasText()), 'events');

describe('the schemas of events', () => {
  it('match events.json: otherwise run `npm run openapi`', async () => {
    const committed = await readFile(new URL('../../../functions/events/schemas/events.json', import.meta.url), 'utf8');
    expect(committed).toBe(eventSchemasText());
  });

  it.each(events.map((event) => [event.type, event] as const))('accept only published events of %s', (type, event) => {
    const isValid = (value: unknown) => schemas.validate(`events#/$defs/${type}`, value);
    expect(isValid(event)).toBe(true);
    expect(isValid({ ...event, data: { ...event.data, accountNumber: '0012345678' } })).toBe(false);
    expect(isValid({ ...event, note: 'a person’s words' })).toBe(false);
    expect(isValid({ ...event, sequence: 1 })).toBe(false);
  });

  it('exist for every published type, and for no other', () => {
    expect(Object.keys(JSON.parse(eventSchemasText()).$defs)).toEqual(eventTypes);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventTypes));
  });
});

describe('an event', () => {
  it('contains ids and codes, and no sentences', () => {
    expect(JSON.stringify(events)).not.toContain(reason.message);
    expect(JSON.stringify(events)).not.toMatch(/destinationHash|amount/);
  });

  it('counts payouts only once a batch may have some', () => {
    const counted = events.flatMap(({ type, data }) => ('counts' in data ? [type] : []));
    expect(counted).toContain('batch.completed');
    expect(counted).not.toContain('batch.validating');
    expect(counted.every((type) => type.startsWith('batch.'))).toBe(true);
  });

  it('of returned money differs from that of other contradictions', () => {
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['payout.returned', 'payout.contradicted']);
  });

  it('has the next number, and the previous status', () => {
    const [first, second] = numberNews('b-1', { sequence: 41, status: 'validating' }, [
      batchNews(at, batchTransitions.startProcessing),
      batchNews(at, batchTransitions.pause),
    ]).events;
    expect(first).toMatchObject({ id: 'b-1-0000042', sequence: '0000042', data: { previousStatus: 'validating' } });
    expect(second).toMatchObject({ id: 'b-1-0000043', data: { status: 'paused', previousStatus: 'processing' } });
  });
});
