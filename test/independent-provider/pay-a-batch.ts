import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { createPaymentProvider } from '../../functions/provider/payment-provider.ts';
import { providerTraits } from '../../functions/provider/settings.ts';
import { Timeline } from '../simulation/timeline.ts';
import { orchestratorInMemory } from '../support/orchestrator-in-memory.ts';
import { realProvider } from '../support/real-provider.ts';
import { tronAddress } from '../support/wallet-addresses.ts';
import type { Disbursement } from './account.ts';
import { chance, statusAt } from './account.ts';
import type { Methods } from './endpoints.ts';
import type { IndependentProvider } from './serve.ts';
import { serve } from './serve.ts';

const began = Date.parse('2026-03-02T08:00:00Z');
const day = 86_400_000;

const limits = { feeFlat: 2500, feePercentage: 0.1 };
const methods: Methods = {
  fiat: ['BCA', 'MANDIRI', 'BNI'].map((bankCode) => ({
    ...{ currency: 'IDR', bankCode, bankName: `Bank ${bankCode}`, minAmount: 10_000, maxAmount: 500_000_000 },
    ...limits,
  })),
  crypto: [
    {
      ...{ currency: 'usdt-tron', network: 'tron', symbol: 'USDT', name: 'Tether USD' },
      ...{ minimumAmount: 1, maximumAmount: 500_000, feeFlat: 1, feePercentage: 0 },
    },
  ],
};

const traits = providerTraits().parse({ payoutsPerCall: 10 });

const header = 'reference,amount,currency,bankCode,bankName,accountNumber,accountName,walletAddress';

/** Two fiat rows to each crypto one. */
const fileOf = (rows: number): Buffer => {
  const lines = Array.from({ length: rows }, (_, index) => {
    const reference = `row-${String(index + 1).padStart(4, '0')}`;
    if (index % 3 === 2) return `${reference},${10 + index}.${100_000 + index},usdt-tron,,,,,${tronAddress(reference)}`;
    const bank = methods.fiat[index % methods.fiat.length]?.bankCode ?? '';
    return `${reference},${50_000 + index}.25,IDR,${bank},Bank ${bank},00${7_000_000 + index},Siti Rahma,`;
  });
  return Buffer.from([header, ...lines].join('\n'));
};

export interface Paid {
  /** How the batch ended. */
  readonly status: string;
  /** References under which the provider made more than one disbursement. */
  readonly twice: readonly string[];
  /** Rows whose end is told otherwise than the provider has it, or that nobody waits for and the provider never made. */
  readonly lost: readonly string[];
  /** Executions that failed: what a person would have to resume. */
  readonly resumes: readonly string[];
  /** Steps that failed, most of which the workflow tries again. */
  readonly failures: readonly string[];
  /** Rows that a person looks at: `row status, why: what the provider has`. */
  readonly leftToPerson: readonly string[];
  /** How often each kind of fault struck. */
  readonly struck: IndependentProvider['struck'];
  readonly requests: number;
}

const words: Readonly<Record<string, readonly string[]>> = {
  completed: ['completed'],
  failed: ['failed'],
  canceled: ['canceled'],
  rejected: [],
};

/**
 * Pays a batch with the orchestrator's own client, steps and workflow, over HTTP on loopback.
 *
 * @param timeoutMs of one request, in real time: what hangs is given up then
 */
export const payABatch = async (
  { rows, faults, lag, seed }: { rows: number; faults: number; lag: number; seed: string },
  timeoutMs = 120,
): Promise<Paid> => {
  const timeline = new Timeline(began);
  const clock = () => timeline.now;
  const funds = { IDR: '1000000000000', 'usdt-tron': '1000000' };
  const independent = await serve({ ...{ seed, faults, lag, funds, methods }, now: clock });
  const failures: string[] = [];
  try {
    let drawn = 0;
    const provider = createPaymentProvider({
      ...{ baseUrl: independent.url, signing: realProvider.signing, traits, clock, timeoutMs, log: { warn: () => {} } },
      credentials: async (convention) =>
        convention === 'signed' ? { clientId: 'client', clientSecret: 'secret' } : { apiKey: 'key' },
      random: () => {
        drawn += 1;
        return chance(seed, 'nonce', drawn);
      },
    });
    const orchestrator = orchestratorInMemory({
      ...{ timeline, provider, longestMs: 10 * day },
      settings: orchestratorSettings().parse({ onHoldFollowMinutes: 60 }),
      onFailure: (what) => void failures.push(what),
    });
    const batchId = await orchestrator.start(fileOf(rows), 'disburse', 'reject');
    await orchestrator.untilRest(batchId);
    const results = orchestrator.rowsOf(orchestrator.batchOf(batchId).report?.resultsKey);
    const made = Map.groupBy(independent.disbursements, ({ reference = '' }) => reference);
    const has = (reference = ''): string =>
      (made.get(reference) ?? []).map((one: Disbursement) => statusAt(one, timeline.now)).join(' and ') || 'nothing';
    return {
      status: orchestrator.batchOf(batchId).status,
      twice: [...made].filter(([, those]) => those.length > 1).map(([reference]) => reference),
      lost: results
        .filter(({ status = '', reference }) => {
          const told = words[status];
          return told !== undefined && has(reference) !== (told[0] ?? 'nothing');
        })
        .map(({ reference, status }) => `${reference} is ${status}, and the provider has ${has(reference)}`)
        .concat(results.length === rows ? [] : [`${rows - results.length} rows are not told`]),
      resumes: orchestrator.failed(),
      failures,
      leftToPerson: results
        .filter(({ status = '' }) => words[status] === undefined)
        .map(({ reference, status, reasonCode }) => `${reference} ${status} ${reasonCode}: ${has(reference)}`),
      struck: independent.struck,
      requests: independent.requests(),
    };
  } finally {
    await independent.close();
  }
};
