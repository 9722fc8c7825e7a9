import type { DrawConsoleDependencies } from '../../../functions/console/draw-console.ts';
import { drawConsole } from '../../../functions/console/draw-console.ts';
import type { Batch } from '../../../functions/domain/batch/batch.ts';
import { sumProgress } from '../../../functions/domain/batch/progress.ts';
import { orchestratorSettings } from '../../../functions/domain/settings.ts';
import type { Log } from '../../../functions/ports/environment.ts';
import type { Uploads } from '../../../functions/ports/files.ts';
import type { BatchLedger } from '../../../functions/ports/ledger/batch-ledger.ts';
import type { FundsLedger } from '../../../functions/ports/ledger/funds-ledger.ts';
import type { ZippedProofs } from '../../../functions/ports/operator-functions.ts';
import { fakeWorkflow } from '../../support/scenes/fake-workflow.ts';
import { fakeLedger, payout } from '../api/fixtures.ts';
import { at, beginningArn, consoleArn, steeringArn } from './example-views.ts';

export const nowMs = Date.parse(at);

export type LedgerAnswers = Parameters<typeof fakeLedger>[0] &
  Partial<FundsLedger> &
  Partial<Pick<BatchLedger, 'findByFile'>>;

export const archive = {
  kind: 'made',
  name: 'proofs-b-1.zip',
  url: 'https://files.test/zip',
  expiresAt: at,
  proofs: 2,
} as const;

/** A log that records codes and error names. */
export const keptLog = () => {
  const logged: string[] = [];
  const log: Log = {
    info: (code) => logged.push(code),
    warn: (code, fields) => logged.push(`${code} ${fields?.['error']}`),
    alarm: () => {},
  };
  return { log, logged };
};

export const dependencies = (
  answers: LedgerAnswers = {},
  archived: ZippedProofs = archive,
  uploaded: Uploads = { uploads: [], isWhole: true },
) => {
  const { log, logged } = keptLog();
  const links: string[] = [];
  const made: unknown[] = [];
  const {
    readFunds = async () => [],
    listFundedCurrencies = async () => [],
    listPairLocks = async () => [],
    findByFile = async () => [],
  } = answers;
  const given: DrawConsoleDependencies = {
    ledger: { ...fakeLedger(answers), findByFile, readFunds, listFundedCurrencies, listPairLocks },
    workflow: fakeWorkflow(),
    settings: orchestratorSettings().parse({}),
    files: {
      listUploads: async (startsWith) => {
        links.push(startsWith);
        return uploaded;
      },
      linkTo: async (key, seconds, name) => {
        links.push(`${key} ${seconds} ${name}`);
        return `https://files.test/${name}`;
      },
    },
    zipProofs: async (part, by) => {
      made.push([part, by]);
      return archived;
    },
    pace: { state: async () => [{ kind: 'post', limitPerSecond: 20, perSecond: 20, queuedMs: 0 }] },
    clock: () => nowMs,
    log,
    steering: steeringArn,
    beginning: beginningArn,
    oldest: new Set(),
    uploadPage: 'https://console.test/upload',
  };
  return { given, logged, links, made };
};

export const known = (found: Batch | undefined): LedgerAnswers => ({
  getBatch: async () => found,
  listTimeline: async () => ({ items: [] }),
  listConversions: async () => [],
  readProgress: async () => sumProgress([], nowMs),
  listPayouts: async () => ({ items: [payout({ status: 'failed' })] }),
});

export const context = (all: Readonly<Record<string, unknown>> = {}) => ({
  widgetContext: { theme: 'dark', width: 800, timezone: { offsetISO: '+07:00' }, forms: { all } },
});

export const drawn = (answers: LedgerAnswers, event: unknown): Promise<string> =>
  drawConsole(dependencies(answers).given, event, consoleArn);
