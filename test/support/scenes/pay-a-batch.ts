import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Clock } from '../../../functions/ports/environment.ts';
import type { PaymentProvider } from '../../../functions/ports/provider.ts';
import type { WebhookNames } from '../../../functions/ports/webhook-names.ts';
import { Timeline } from '../../simulation/world/timeline.ts';
import { day } from '../durations.ts';
import { orchestratorInMemory } from '../orchestrator-in-memory.ts';
import { tronAddress } from '../wallet-addresses.ts';

export const began = Date.parse('2026-03-02T08:00:00Z');

/** Faults: the share of failing requests, and how many milliseconds lists and lookups are behind. */
export interface World {
  readonly rows: number;
  readonly faults: number;
  readonly lag: number;
  readonly seed: string;
}

/** Timeout of one request in real time. A busy machine may be slow to answer. */
export const timeoutMs = 10_000;

/** A running service, and the adapter through which a batch is paid. */
export interface PaidThrough {
  readonly provider: PaymentProvider;
  /** Every payout in the service's own books: its reference and status, with our words for ends. */
  readonly made: () => readonly { readonly reference: string; readonly word: string }[];
  /** Number of faults by kind. */
  readonly struck: ReadonlyMap<string, number>;
  readonly requests: () => number;
  /** Webhooks that are not posted yet, as texts. */
  readonly webhooks?: { readonly take: () => readonly string[]; readonly names: WebhookNames };
  readonly close: () => Promise<void>;
}

const header = 'reference,amount,currency,bankCode,bankName,accountNumber,accountName,walletAddress';
/** Banks that every provider here can pay. */
export const banks = ['BCA', 'MANDIRI', 'BNI'] as const;

/** Two rows to banks for each row to a wallet. `isFiat` omits the wallets. */
export const fileOf = (rows: number, isFiat = false): Buffer => {
  const lines = Array.from({ length: rows }, (_, index) => {
    const reference = `row-${String(index + 1).padStart(4, '0')}`;
    if (index % 3 === 2 && !isFiat)
      return `${reference},${10 + index}.${100_000 + index},usdt-tron,,,,,${tronAddress(reference)}`;
    const bank = banks[index % banks.length] ?? '';
    return `${reference},${50_000 + index}.25,IDR,${bank},Bank ${bank},00${7_000_000 + index},Siti Rahma,`;
  });
  return Buffer.from([header, ...lines].join('\n'));
};

export interface Paid {
  /** The batch's final status. */
  readonly status: string;
  /** References under which the provider made more than one disbursement. */
  readonly twice: readonly string[];
  /** Rows whose reported end differs from the provider's, or that are closed without a payment by the provider. */
  readonly lost: readonly string[];
  /** Failed executions, which a person would have to resume. */
  readonly resumes: readonly string[];
  /** Failed steps, most of which the workflow retries. */
  readonly failures: readonly string[];
  /** Rows left to a person: `row status, reason: the provider's status`. */
  readonly leftToPerson: readonly string[];
  /** Number of faults by kind. */
  readonly struck: ReadonlyMap<string, number>;
  readonly requests: number;
  /** The lines of results.csv. */
  readonly results: readonly Readonly<Record<string, string>>[];
  /** The operator API's final view. */
  readonly view: Awaited<ReturnType<ReturnType<typeof orchestratorInMemory>['viewOf']>>;
  /** Number of payouts that the provider made. */
  readonly made: number;
}

const words: Readonly<Record<string, readonly string[]>> = {
  completed: ['completed'],
  failed: ['failed'],
  canceled: ['canceled'],
  rejected: [],
};

/** Milliseconds between two checks for webhooks to post. */
const webhooksEvery = 1_000;

/**
 * Pays a file through an adapter and its service on loopback, with the real steps and workflow in memory.
 *
 * @param open starts the service on this clock
 */
export const payABatch = async (
  { rows }: Pick<World, 'rows'>,
  file: Buffer,
  open: (clock: Clock) => Promise<PaidThrough>,
  settings: Partial<OrchestratorSettings> = {},
): Promise<Paid> => {
  const timeline = new Timeline(began);
  const service = await open(() => timeline.now);
  const { provider } = service;
  const failures: string[] = [];
  try {
    const orchestrator = orchestratorInMemory({
      ...{ timeline, provider, longestMs: 10 * day },
      // Planning allocates for the most rows.
      settings: orchestratorSettings().parse({ onHoldFollowMinutes: 60, maxRows: 1000, ...settings }),
      onFailure: (what) => void failures.push(what),
    });
    const batchId = await orchestrator.start(file, 'disburse', 'reject');
    let isOver = false;
    const postWebhooks = (webhooks: NonNullable<PaidThrough['webhooks']>): void => {
      if (isOver) return;
      for (const body of webhooks.take())
        orchestrator
          .receiveWebhook(webhooks.names, body)
          .catch((error: unknown) => failures.push(`webhook: ${String(error)}`));
      timeline.in(webhooksEvery, () => postWebhooks(webhooks));
    };
    if (service.webhooks !== undefined) postWebhooks(service.webhooks);
    await orchestrator.untilRest(batchId);
    isOver = true;
    const results = orchestrator.rowsOf(orchestrator.batchOf(batchId).report?.resultsKey);
    const made = Map.groupBy(service.made(), ({ reference }) => reference);
    const has = (reference = ''): string =>
      (made.get(reference) ?? []).map(({ word }) => word).join(' and ') || 'nothing';
    return {
      status: orchestrator.batchOf(batchId).status,
      twice: [...made].filter(([, those]) => those.length > 1).map(([reference]) => reference),
      lost: results
        .filter(({ status = '', reference }) => {
          const expected = words[status];
          return expected !== undefined && has(reference) !== (expected[0] ?? 'nothing');
        })
        .map(({ reference, status }) => `${reference} is ${status}, and the provider has ${has(reference)}`)
        .concat(results.length === rows ? [] : [`${rows - results.length} rows are missing from results.csv`]),
      resumes: orchestrator.failed(),
      failures,
      leftToPerson: results
        .filter(({ status = '' }) => words[status] === undefined)
        .map(({ reference, status, reasonCode }) => `${reference} ${status} ${reasonCode}: ${has(reference)}`),
      struck: service.struck,
      requests: service.requests(),
      results,
      view: await orchestrator.viewOf(batchId),
      made: service.made().length,
    };
  } finally {
    await service.close();
  }
};
