import type { OrchestratorSettings } from '../../../functions/domain/settings.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Clock } from '../../../functions/ports/environment.ts';
import type { PaymentProvider } from '../../../functions/ports/provider.ts';
import type { WebhookNames } from '../../../functions/ports/webhook-names.ts';
import { Timeline } from '../../simulation/world/timeline.ts';
import { orchestratorInMemory } from '../orchestrator-in-memory.ts';
import { tronAddress } from '../wallet-addresses.ts';

export const began = Date.parse('2026-03-02T08:00:00Z');
const day = 86_400_000;

/** What goes wrong: the share of requests, and the milliseconds that lists and look-ups are behind. */
export interface World {
  readonly rows: number;
  readonly faults: number;
  readonly lag: number;
  readonly seed: string;
  /** Of one request, in real time: what hangs is given up then. */
  readonly timeoutMs?: number;
}

/** A service that is up, and the adapter that a batch is paid through. */
export interface PaidThrough {
  readonly provider: PaymentProvider;
  /** Every payout that was ever made, by the service's own books: reference, and its word for how it stands; ends in ours. */
  readonly made: () => readonly { readonly reference: string; readonly word: string }[];
  /** How often each kind of fault struck. */
  readonly struck: ReadonlyMap<string, number>;
  readonly requests: () => number;
  /** Webhooks that were not posted yet, as texts. */
  readonly webhooks?: { readonly take: () => readonly string[]; readonly names: WebhookNames };
  readonly close: () => Promise<void>;
}

const header = 'reference,amount,currency,bankCode,bankName,accountNumber,accountName,walletAddress';
/** Banks that every provider here pays to. */
export const banks = ['BCA', 'MANDIRI', 'BNI'] as const;

/** Two rows to banks for each one to a wallet; `isFiat` leaves the wallets out. */
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
  readonly struck: ReadonlyMap<string, number>;
  readonly requests: number;
  /** The lines of results.csv. */
  readonly results: readonly Readonly<Record<string, string>>[];
  /** As the operator API tells of it in the end. */
  readonly view: Awaited<ReturnType<ReturnType<typeof orchestratorInMemory>['viewOf']>>;
  /** How many payouts the provider made. */
  readonly made: number;
}

const words: Readonly<Record<string, readonly string[]>> = {
  completed: ['completed'],
  failed: ['failed'],
  canceled: ['canceled'],
  rejected: [],
};

/** Milliseconds between two looks for webhooks to post. */
const webhooksEvery = 1_000;

/**
 * Pays a file through an adapter and its service on loopback, with the orchestrator's own steps and workflow in memory.
 *
 * @param open brings the service up, on this clock
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
      settings: orchestratorSettings().parse({ onHoldFollowMinutes: 60, ...settings }),
      onFailure: (what) => void failures.push(what),
    });
    const batchId = await orchestrator.start(file, 'disburse', 'reject');
    let isOver = false;
    const postWebhooks = (webhooks: NonNullable<PaidThrough['webhooks']>): void => {
      if (isOver) return;
      for (const body of webhooks.take())
        orchestrator.hear(webhooks.names, body).catch((error: unknown) => failures.push(`webhook: ${String(error)}`));
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
