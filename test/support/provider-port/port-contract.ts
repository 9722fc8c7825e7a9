import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlannedPayout } from '../../../functions/domain/batch/chunk-file.ts';
import { NoFeeEstimate, ProviderRefused, ProviderUnavailable } from '../../../functions/domain/errors.ts';
import { Money } from '../../../functions/domain/money/money.ts';
import { hashDestination } from '../../../functions/domain/payout/destination.ts';
import type { Rail } from '../../../functions/domain/payout/payout.ts';
import type { Disbursement, PaymentProvider, SubmitAnswer } from '../../../functions/ports/provider.ts';
import type { HttpOutcome } from '../../../functions/provider/transport/http.ts';
import { requestOnce, requestRead } from '../../../functions/provider/transport/http.ts';
import type { LoopbackServer } from '../servers/loopback-server.ts';
import { serveOnLoopback } from '../servers/loopback-server.ts';
import type { PortScene } from './port-scene.ts';
import { payoutsOf } from './port-scene.ts';

const plainDecimal = /^\d+(\.\d+)?$/;

const submit = (
  provider: PaymentProvider,
  scene: PortScene,
  rail: Rail,
  payouts: readonly PlannedPayout[],
): Promise<SubmitAnswer> =>
  provider.submit(rail, provider.composeSubmission({ rail, currency: scene.currency[rail] }, payouts));

/** A server that accepts every request and never answers. */
const silence = () => {
  let server: LoopbackServer | undefined;
  return {
    begin: async (): Promise<void> => {
      server = await serveOnLoopback((request) => request.resume());
    },
    url: () => server?.url ?? '',
    end: async (): Promise<void> => server?.close(),
  };
};

/** Every request is processed, but answered with this outcome instead. */
const answeredWith = (outcome: HttpOutcome) => ({
  requestOnce: async (request: Parameters<typeof requestOnce>[0]) => {
    await requestOnce(request);
    return outcome;
  },
  requestRead: async () => outcome,
});

const response = (status: number, body: string): HttpOutcome => ({
  kind: 'response',
  status,
  body: Buffer.from(body),
});

const html = '<html><body>Not what you asked for</body></html>';

/**
 * The contract of functions/ports/provider.ts, tested on an adapter with a service behind it. Optional features are expected
 * according to the adapter's traits.
 */
export const describeProviderPort = (name: string, rails: readonly Rail[], open: () => Promise<PortScene>) =>
  describe(`the port: ${name}`, () => {
    let scene: PortScene;
    let provider: PaymentProvider;
    const silent = silence();
    beforeAll(async () => {
      await silent.begin();
      scene = await open();
      provider = scene.adapter();
    });
    afterAll(() => silent.end());
    const newReference = (): string => scene.newReference();

    const make = async (rail: Rail, reference = newReference(), by = provider): Promise<Disbursement> => {
      const answer = await submit(by, scene, rail, payoutsOf(scene, rail, [reference]));
      const [disbursement] = answer.kind === 'answered' ? answer.disbursements : [];
      if (disbursement === undefined) throw new Error(answer.kind);
      return disbursement;
    };

    describe.each(rails)('%s', (rail) => {
      it('answers a submission with its disbursement, and finds it by reference and by id', async () => {
        const [planned] = payoutsOf(scene, rail, [newReference()]);
        if (planned === undefined) throw new Error('no payout');
        const { reference, amount, recipient } = planned;
        const answer = await submit(provider, scene, rail, [planned]);
        const paid = Money.of(amount, scene.currency[rail]);
        const made = { reference, rail, destinationHash: hashDestination(recipient) };
        expect(answer).toMatchObject({ kind: 'answered', disbursements: [{ ...made, status: 'pending' }] });
        const [disbursement] = answer.kind === 'answered' ? answer.disbursements : [];
        const { disbursementId = '' } = disbursement ?? {};
        expect(disbursement?.amount.equals(paid)).toBe(true);
        expect(disbursement?.fee?.amount ?? '0').toMatch(plainDecimal);
        expect(disbursement?.fee?.currency ?? paid.currency).toBe(paid.currency);
        for (const asked of [reference, disbursementId]) {
          const found = await provider.lookUp(rail, asked);
          expect(found).toMatchObject({ kind: 'found', disbursement: { ...made, disbursementId } });
          expect(found.kind === 'found' && found.disbursement.amount.equals(paid)).toBe(true);
        }
      });

      it('makes every payout of a call, each under its own reference', async () => {
        const references = Array.from({ length: Math.min(3, provider.traits.payoutsPerCall) }, newReference);
        const answer = await submit(provider, scene, rail, payoutsOf(scene, rail, references));
        const shown = answer.kind === 'answered' ? answer.disbursements.map(({ reference }) => reference) : [];
        expect(shown.toSorted()).toEqual(references.toSorted());
        for (const reference of references) expect(await scene.made(rail, reference)).toBe(1);
      });

      it('composes equal payouts to equal text, and another amount to different text', () => {
        const [planned] = payoutsOf(scene, rail, ['Port-1'], { amount: '20000' });
        if (planned === undefined) throw new Error('no payout');
        const compose = (payout: PlannedPayout): string =>
          provider.composeSubmission({ rail, currency: scene.currency[rail] }, [payout]);
        expect(compose({ ...planned })).toBe(compose(planned));
        expect(compose({ ...planned, amount: '20001' })).not.toBe(compose(planned));
      });

      it('reports an unused reference as absent', async () => {
        expect(await provider.lookUp(rail, newReference())).toEqual({ kind: 'absent' });
      });

      it('refuses an unpayable recipient in its own words, and makes nothing', async () => {
        const reference = newReference();
        const recipient = scene.refusedRecipient(rail);
        const answer = await submit(provider, scene, rail, payoutsOf(scene, rail, [reference], { recipient }));
        expect(answer).toMatchObject({ kind: 'rejected', message: expect.stringMatching(/./) });
        expect(answer).not.toHaveProperty('isTaken');
        expect(await scene.made(rail, reference)).toBe(0);
        expect(await provider.lookUp(rail, reference)).toEqual({ kind: 'absent' });
      });

      it('reports a call with a lost answer as unknown, and finds its disbursement', async () => {
        const reference = newReference();
        const deaf = scene.adapter({ http: answeredWith({ kind: 'unknown', cause: 'timeout' }) });
        const payouts = payoutsOf(scene, rail, [reference]);
        expect(await submit(deaf, scene, rail, payouts)).toEqual({ kind: 'unknown', cause: 'timeout' });
        expect(await provider.lookUp(rail, reference)).toMatchObject({ kind: 'found', disbursement: { reference } });
        expect(await scene.made(rail, reference)).toBe(1);
      });

      it.each([429, 500, 503, 504])('treats a %d in the service’s own words as no answer', async (status) => {
        const reference = newReference();
        const there = scene.adapter({ http: answeredWith(response(status, scene.errorBody(status))) });
        const payouts = payoutsOf(scene, rail, [reference]);
        expect(await submit(there, scene, rail, payouts)).toMatchObject({ kind: 'unknown' });
        expect(await there.lookUp(rail, reference)).toMatchObject({ kind: 'unknown' });
        await expect(there.readBalances()).rejects.toThrow(ProviderUnavailable);
        expect(await scene.made(rail, reference)).toBe(1);
      });

      it.each([
        ['a gateway without its service', response(502, html)],
        ['success without a body', response(200, '')],
        ['success without data', response(201, '{"statusCode":201,"message":"Done"}')],
        ['a gateway’s 404', response(404, html)],
        ['a gateway’s 400', response(400, html)],
        ['a broken connection', { kind: 'unknown', cause: 'connection_reset' } as const],
      ])('treats %s as no answer, for a call and for a lookup', async (_name, outcome) => {
        const reference = newReference();
        const there = scene.adapter({ http: answeredWith(outcome) });
        const payouts = payoutsOf(scene, rail, [reference]);
        expect(await submit(there, scene, rail, payouts)).toMatchObject({ kind: 'unknown' });
        expect(await there.lookUp(rail, reference)).toMatchObject({ kind: 'unknown' });
        expect(await scene.made(rail, reference)).toBe(1);
      });

      it('gives up on a silent service in time', async () => {
        const there = scene.adapter({ baseUrl: silent.url(), timeoutMs: 60 });
        const payouts = payoutsOf(scene, rail, [newReference()]);
        expect(await submit(there, scene, rail, payouts)).toEqual({ kind: 'unknown', cause: 'timeout' });
        expect(await there.lookUp(rail, 'Port-1')).toMatchObject({ kind: 'unknown' });
        await expect(there.readBalances()).rejects.toThrow(ProviderUnavailable);
      });

      it('proves that nothing was sent when nobody listens', async () => {
        const there = scene.adapter({ baseUrl: 'http://127.0.0.1:1' });
        const payouts = payoutsOf(scene, rail, [newReference()]);
        expect(await submit(there, scene, rail, payouts)).toMatchObject({ kind: 'not_sent' });
        expect(await there.lookUp(rail, 'Port-1')).toMatchObject({ kind: 'unknown' });
      });

      it('settles a disbursement permanently', async () => {
        const { disbursementId, reference = '' } = await make(rail);
        const made = await provider.lookUp(rail, disbursementId);
        if (made.kind === 'found') await scene.settle(made.disbursement);
        const ended = await provider.lookUp(rail, reference);
        const { status } = ended.kind === 'found' ? ended.disbursement : { status: ended.kind };
        expect(['completed', 'failed']).toContain(status);
        expect(await provider.lookUp(rail, disbursementId)).toEqual(ended);
      });

      it('has payment methods in exact decimals', async () => {
        const methods = await provider.listPaymentMethods(rail);
        expect(methods.map(({ currency }) => currency)).toContain(scene.currency[rail]);
        for (const { minAmount, maxAmount, feeFlat, feePercentage, ...method } of methods) {
          for (const { amount, currency } of [minAmount, maxAmount, feeFlat]) {
            expect(amount).toMatch(plainDecimal);
            expect(currency).toBe(method.currency);
          }
          expect(feePercentage).toMatch(plainDecimal);
          expect(method.rail).toBe(rail);
        }
      });
    });

    const repeated: readonly { readonly name: string; readonly changes: Partial<PlannedPayout> }[] = [
      { name: 'equal', changes: {} },
      { name: 'with another amount', changes: { amount: '54321' } },
    ];
    it.runIf(rails.includes('fiat')).each(repeated)(
      'makes no second disbursement under a used fiat reference: $name',
      async ({ changes }) => {
        expect(provider.traits.rails.fiat.referenceUniqueHours).not.toBe(0);
        const payouts = payoutsOf(scene, 'fiat', [newReference()]);
        const [{ reference } = { reference: '' }] = payouts;
        const first = await submit(provider, scene, 'fiat', payouts);
        const second = await submit(
          provider,
          scene,
          'fiat',
          payouts.map((payout) => ({ ...payout, ...changes })),
        );
        // It is refused, or answered with the first one. Both show the first one.
        expect(second.kind === 'answered' ? second.disbursements : second).toEqual(
          second.kind === 'answered'
            ? first.kind === 'answered' && first.disbursements
            : expect.objectContaining({ kind: 'rejected', isTaken: true }),
        );
        expect(await scene.made('fiat', reference)).toBe(1);
      },
    );

    it('treats a reference in another letter case as unused', async () => {
      const { reference = '' } = await make('fiat');
      const found = await provider.lookUp('fiat', reference.toUpperCase());
      expect(['absent', 'unknown']).toContain(found.kind);
    });

    it.each(rails)('finds every %s payout with a reference, where a lookup shows only one', async (rail) => {
      const { reference = '', disbursementId } = await make(rail);
      const found = await provider.listByReference(rail, reference);
      if (found === undefined) {
        // A lookup shows one payout. It is the only one under its reference if references are unique forever.
        expect(provider.traits.rails[rail].referenceUniqueHours).toBe('forever');
        return expect(await provider.lookUp(rail, reference)).toMatchObject({ kind: 'found' });
      }
      expect(found).toMatchObject([{ disbursementId, reference }]);
      return expect(await provider.listByReference(rail, newReference())).toEqual([]);
    });

    it.each(rails)('finds every %s payout by its destination, where a lookup may miss one', async (rail) => {
      const search = provider.destinationSearch(rail);
      const [planned] = payoutsOf(scene, rail, [newReference()]);
      if (planned === undefined) throw new Error('no payout');
      await submit(provider, scene, rail, [planned]);
      if (search === undefined)
        return expect(await provider.lookUp(rail, planned.reference)).toMatchObject({ kind: 'found' });
      const { recipient, reference } = planned;
      const found = await search({ recipient, amount: Money.of(planned.amount, scene.currency[rail]) });
      return expect(found.map((one) => one.reference)).toContain(reference);
    });

    it('lists all disbursements in order on pages from 1, or has no lists', async () => {
      const references = [newReference(), newReference(), newReference()];
      for (const reference of references) await make('fiat', reference);
      const list = (page: number) => provider.listDisbursements({ rail: 'fiat', order: 'created', page });
      if (provider.pageSize('fiat') === 0) return expect(list(1)).rejects.toThrow(ProviderRefused);
      const { totalPages } = await list(1);
      const shown: (string | undefined)[] = [];
      for (let page = 1; page <= totalPages; page += 1) {
        const { disbursements, unreadable, ...rest } = await list(page);
        expect({ unreadable, page: rest.page }).toEqual({ unreadable: 0, page });
        expect(disbursements.length).toBeLessThanOrEqual(provider.pageSize('fiat'));
        shown.push(...disbursements.map(({ reference }) => reference));
      }
      return expect(shown.filter((reference) => references.includes(reference ?? ''))).toEqual(references);
    });

    it('lists the newest first, and the last changed first', async () => {
      if (provider.pageSize('fiat') === 0) return expect(provider.statusLists('fiat', 'open')).toEqual([]);
      const [older, newer] = [await make('fiat'), await make('fiat')];
      const own = async (order: 'newest' | 'changed'): Promise<readonly string[]> => {
        const { disbursements } = await provider.listDisbursements({ rail: 'fiat', order, page: 1 });
        const ids = disbursements.map(({ disbursementId }) => disbursementId);
        return ids.filter((id) => [older, newer].some(({ disbursementId }) => disbursementId === id));
      };
      expect(await own('newest')).toEqual([newer, older].map(({ disbursementId }) => disbursementId));
      await scene.settle(older);
      return expect((await own('changed'))[0]).toBe(older.disbursementId);
    });

    it('filters its lists by each word for a status', async () => {
      for (const rail of rails)
        for (const status of [...provider.statusLists(rail, 'open'), ...provider.statusLists(rail, 'ended')]) {
          const { disbursements } = await provider.listDisbursements({ rail, order: 'changed', status, page: 1 });
          for (const { providerStatus } of disbursements) expect(providerStatus).toBe(status);
        }
      expect(provider.statusLists('fiat', 'open').length > 0).toBe(provider.pageSize('fiat') > 0);
    });

    it('reads balances as exact decimals', async () => {
      const balances = await provider.readBalances();
      expect([...balances.keys()]).toContain(scene.currency.fiat);
      for (const [currency, balance] of balances) {
        expect(balance.currency).toBe(currency);
        expect(balance.amount).toMatch(plainDecimal);
      }
    });

    it.runIf(rails.includes('crypto'))(
      'estimates the fee of a wallet transfer, or reports that it cannot',
      async () => {
        const amount = Money.of('12.5', scene.currency.crypto);
        const estimate = await provider.estimateFee('crypto', amount).catch((error: unknown) => error);
        if (!(estimate instanceof Money)) return expect(estimate).toBeInstanceOf(NoFeeEstimate);
        expect(estimate.currency).toBe(amount.currency);
        return expect(estimate.amount).toMatch(plainDecimal);
      },
    );

    it('quotes a conversion, or reports why it cannot', async () => {
      const output = Money.of('50000', scene.currency.fiat);
      const answer = await provider.quoteConversion({ inputCurrency: scene.currency.crypto, output });
      if (answer.kind === 'refused') return expect(answer.message).toMatch(/\.$/);
      expect(answer.quote.input.currency).toBe(scene.currency.crypto);
      return expect(answer.quote.output.isAtLeast(output)).toBe(true);
    });

    it('has a proof only of a completed disbursement, if it gives proofs', async () => {
      const made = await make('fiat');
      expect(await provider.downloadProof(made.disbursementId)).toBeUndefined();
      await scene.settle(made);
      const ended = await provider.lookUp('fiat', made.disbursementId);
      const isPaid = ended.kind === 'found' && ended.disbursement.status === 'completed';
      const proof = await provider.downloadProof(made.disbursementId);
      const start = proof === undefined ? undefined : Buffer.from(proof).subarray(0, 5).toString();
      expect(start).toBe(isPaid && provider.traits.rails.fiat.hasProofs ? '%PDF-' : undefined);
    });

    it('halts calls and refuses reads when the credentials are wrong', async () => {
      const stranger = scene.stranger?.();
      // A service that accepts any credentials has nothing to refuse.
      if (stranger === undefined) return expect(await provider.readBalances()).toBeInstanceOf(Map);
      const reference = newReference();
      expect(await submit(stranger, scene, 'fiat', payoutsOf(scene, 'fiat', [reference]))).toMatchObject({
        kind: 'halted',
      });
      expect(await scene.made('fiat', reference)).toBe(0);
      await expect(stranger.lookUp('fiat', reference)).rejects.toThrow(ProviderRefused);
      return expect(stranger.readBalances()).rejects.toThrow(ProviderRefused);
    });

    it('makes a call by one POST, and looks up only by GETs', async () => {
      const asked: string[] = [];
      const counting = scene.adapter({
        http: {
          requestOnce: async (request) => {
            asked.push(request.method);
            return requestOnce(request);
          },
          requestRead: (request, again) => {
            asked.push(request.method);
            return requestRead(request, again);
          },
        },
      });
      await make('fiat', newReference(), counting);
      expect(asked).toEqual(['POST']);
      await counting.lookUp('fiat', newReference());
      expect(new Set(asked.slice(1))).toEqual(new Set(['GET']));
    });
  });
