import type { PlannedPayout } from '../../functions/domain/batch/chunk-file.ts';
import { Money } from '../../functions/domain/money/money.ts';
import { sumByCurrency } from '../../functions/domain/money/money-by-currency.ts';
import { hashDestination } from '../../functions/domain/payout/destination.ts';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import type { PaymentProvider } from '../../functions/ports/provider.ts';
import { Timeline } from '../simulation/world/timeline.ts';
import { paymentMethod } from '../support/money.ts';
import { orchestratorInMemory } from '../support/orchestrator-in-memory.ts';
import { createListedProvider } from '../support/scenes/listed-provider.ts';
import type { InvalidRows, Outcome } from './judge.ts';
import type { Offer } from './offers.ts';
import { bankNames, isFiat } from './offers.ts';

const began = Date.parse('2026-03-02T08:00:00Z');
/** Longer than three attempts of any step. */
const longestMs = 86_400_000;
const proof = Buffer.from('%PDF-1.4\nproof\n%%EOF\n');

/** A provider that pays everything immediately and records it. */
const payingProvider = (offers: readonly Offer[], clock: () => number) => {
  const listed = createListedProvider(clock, { payoutsPerCall: 5 });
  const composed = new Map<string, { readonly currency: string; readonly payouts: readonly PlannedPayout[] }>();
  const sent: (PlannedPayout & { readonly currency: string })[] = [];
  const never = async (): Promise<never> => {
    throw new Error('not needed here');
  };
  const provider: PaymentProvider = {
    ...listed.provider,
    listPaymentMethods: async (rail) =>
      offers
        .filter((offer) => isFiat(offer) === (rail === 'fiat'))
        .flatMap(({ currency, banks, least, most }) =>
          (rail === 'fiat' ? banks : [currency]).map((code) =>
            paymentMethod({
              ...{ rail, currency, code, name: bankNames[code] ?? code, minAmount: least, maxAmount: most },
              ...{ feeFlat: '0', feePercentage: '0.1' },
            }),
          ),
        ),
    readBalances: async () => sumByCurrency(offers.map(({ currency }) => Money.of('1000000000000', currency))),
    estimateFee: async (rail, { currency }) => (rail === 'crypto' ? Money.of('0.001', currency) : undefined),
    quoteConversion: never,
    convert: never,
    destinationSearch: () => never,
    downloadProof: async () => proof,
    composeSubmission: ({ currency }, payouts) => {
      const body = JSON.stringify(payouts);
      composed.set(body, { currency, payouts });
      return body;
    },
    submit: async (rail, body) => {
      const { currency, payouts } = composed.get(body) ?? (await never());
      const disbursements = payouts.map((payout) => {
        sent.push({ ...payout, currency });
        const { reference, recipient } = payout;
        const [amount, fee] = [Money.of(payout.amount, currency), Money.zero(currency)];
        return listed.add({
          ...{ disbursementId: `d-${sent.length}`, reference, rail, amount, fee },
          ...{ status: 'completed', providerStatus: 'completed', destinationHash: hashDestination(recipient) },
        });
      });
      return { kind: 'answered', disbursements };
    },
  };
  return { provider, sent };
};

/** An orchestrator without faults, on a provider that pays everything. */
export const inMemory = (offers: readonly Offer[], mostRows: number) => {
  const timeline = new Timeline(began);
  const { provider, sent } = payingProvider(offers, () => timeline.now);
  const failures: string[] = [];
  const orchestrator = orchestratorInMemory({
    ...{ timeline, provider, longestMs },
    settings: orchestratorSettings().parse({ maxRows: mostRows }),
    onFailure: (what) => void failures.push(what),
  });
  const { batchOf, rowsOf } = orchestrator;

  return {
    /** Uploads the file, starts it and waits for its end. */
    run: async (bytes: Buffer, mode: 'disburse' | 'preview', invalidRows: InvalidRows): Promise<Outcome> => {
      const batchId = await orchestrator.start(bytes, mode, invalidRows);
      const alreadySent = sent.length;
      const asked = await orchestrator.untilRest(batchId);
      if (failures.length > 0) throw new Error(failures.join('\n'));
      const { status, reason } = await orchestrator.viewOf(batchId);
      const { plan, report } = batchOf(batchId);
      return {
        status,
        reasonCode: reason?.code,
        asked,
        errors: rowsOf(plan?.errorsFile?.key).map(({ row, code = '' }) => ({ row: Number(row), code })),
        ...(plan?.toCorrectKey === undefined
          ? {}
          : { toCorrect: orchestrator.content(plan.toCorrectKey) ?? Buffer.alloc(0) }),
        repeated: rowsOf(plan?.repeatedDebts?.list.key).map(({ row }) => Number(row)),
        results: rowsOf(report?.resultsKey),
        paid: sent.slice(alreadySent).map(({ recipient: { kind: _, ...recipient }, row, ...payout }) => ({
          row,
          sent: { ...payout, ...recipient },
        })),
      };
    },
  };
};
