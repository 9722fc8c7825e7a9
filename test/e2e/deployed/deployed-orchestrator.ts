import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import type { z } from 'zod';
import type { BatchView } from '../../../functions/api/schemas/batch.ts';
import { batchSummary, batchView, hasEnded } from '../../../functions/api/schemas/batch.ts';
import { fileLink } from '../../../functions/api/schemas/file-links.ts';
import type { FundsView } from '../../../functions/api/schemas/funding.ts';
import { fundsView } from '../../../functions/api/schemas/funding.ts';
import type { PayoutView } from '../../../functions/api/schemas/payout.ts';
import { payoutView } from '../../../functions/api/schemas/payout.ts';
import type { startBatchBody } from '../../../functions/api/schemas/start-batch.ts';
import type { OperatorAnswer } from '../../../infra/local/operator-client.ts';
import { OperatorClient } from '../../../infra/local/operator-client.ts';
import { evmAddress } from '../../support/wallet-addresses.ts';

type StartBatch = Partial<z.input<typeof startBatchBody>>;

const outputs = () => inject('localAws').outputs;

/** The deployed orchestrator's operator API, signed like an operator. */
export const operator = (): OperatorClient =>
  new OperatorClient({
    apiUrl: outputs().PayoutOrchestrator.ApiUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

/** Uploads a payout file and returns its key. */
export const uploadAs = async (key: string, content: string | Uint8Array): Promise<string> => {
  const { FilesBucket: Bucket } = outputs().PayoutOrchestrator;
  await new S3Client().send(new PutObjectCommand({ Bucket, Key: key, Body: content }));
  return key;
};

/** Uploads a payout file under a new name and returns its key. */
export const upload = (content: string | Uint8Array, extension = 'csv'): Promise<string> =>
  uploadAs(`uploads/${randomUUID()}.${extension}`, content);

/** Sends a request, and after a 503 the same one again, as the API's documentation says. */
export const againAfter503 = async (send: () => Promise<OperatorAnswer>): Promise<OperatorAnswer> => {
  const answer = await send();
  if (answer.status !== 503) return answer;
  await wait(Number(answer.headers.get('retry-after') ?? 1) * 1000);
  return againAfter503(send);
};

/** Requests a batch and returns any answer. */
export const askToStart = (
  file: string,
  options: StartBatch = {},
  key: string = randomUUID(),
): Promise<OperatorAnswer> =>
  againAfter503(() =>
    operator().send({
      method: 'POST',
      path: '/batches',
      headers: { 'idempotency-key': key },
      body: { file, ...options },
    }),
  );

/** An answer without its headers, which differ each time. */
export const answerOf = ({ status, body }: OperatorAnswer) => ({ status, body });

/** Returns the reservations, and the locks of pairs. */
export const funds = (): Promise<FundsView> => operator().ask({ method: 'GET', path: '/funds' }, fundsView);

export const reservationsOf = async (batchId: string) =>
  (await funds()).reservations.filter((one) => one.batchId === batchId);

/** Starts a batch that must be accepted. */
export const start = async (file: string, options: StartBatch = {}): Promise<string> => {
  const answer = await askToStart(file, options);
  if (answer.status !== 202) throw new Error(`POST /batches was answered with ${JSON.stringify(answer)}`);
  return batchSummary.parse(answer.body).batchId;
};

export const statusOf = (batchId: string): Promise<BatchView> =>
  operator().ask({ method: 'GET', path: `/batches/${batchId}` }, batchView);

export const payoutOf = (reference: string): Promise<PayoutView> =>
  operator().ask({ method: 'GET', path: `/payouts/${reference}` }, payoutView);

export const act = (batchId: string, action: 'pause' | 'resume' | 'cancel'): Promise<OperatorAnswer> =>
  operator().send({ method: 'POST', path: `/batches/${batchId}/${action}` });

/** Longer than anything takes on a busy machine, and shorter than a test may take. */
export const longestWaitMs = 200_000;

/** Waits until the batch meets a condition. The error of a timeout shows its state. */
export const until = async (
  batchId: string,
  isSo: (batch: BatchView) => boolean,
  withinMs = longestWaitMs,
  everyMs = 400,
): Promise<BatchView> => {
  const deadline = Date.now() + withinMs;
  let batch = await statusOf(batchId);
  while (!isSo(batch)) {
    if (Date.now() > deadline)
      throw new Error(
        `${batchId} stays ${batch.status}: ${JSON.stringify([batch.counts, batch.proofs, batch.reports, batch.reason])}`,
      );
    await wait(everyMs);
    batch = await statusOf(batchId);
  }
  return batch;
};

export const untilEnded = (batchId: string): Promise<BatchView> => until(batchId, hasEnded, longestWaitMs, 1200);

/** The batch's current status. Changes made outside the API appear within five seconds. */
export const statusAsOfNow = (batchId: string): Promise<BatchView> => {
  const now = new Date().toISOString();
  return until(batchId, ({ countsAsOf }) => countsAsOf > now);
};

/** The text of a file of the batch, through an operator's link. */
export const readReport = async (batchId: string, name: string): Promise<string> => {
  const { url } = await operator().ask({ method: 'GET', path: `/batches/${batchId}/files/${name}` }, fileLink);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name} was answered with ${response.status}`);
  return response.text();
};

export const header =
  'reference,amount,currency,recipientId,bankCode,bankName,accountNumber,accountName,walletAddress,note';

/** A reference that no other batch of any run uses. */
export const freshReference = (): string => `e2e-${randomUUID()}`;

/** An account that no other row pays, so that no row repeats a debt. Its last four digits steer the sandbox. */
export const freshAccount = (ending = '4567'): string => `00${String(randomInt(2 ** 40)).padStart(13, '0')}${ending}`;

export interface RowOptions {
  readonly reference?: string;
  readonly amount?: string;
  readonly account?: string;
}

/** A bank transfer in rupiah. */
export const idrRow = ({
  reference = freshReference(),
  amount = '150000',
  account = freshAccount(),
}: RowOptions = {}): string => `${reference},${amount},IDR,,BCA,Bank Central Asia,${account},Ayu Lestari,,`;

/** A bank transfer in baht. The sandbox opens with none, so it needs a conversion. */
export const bahtRow = (account = freshAccount(), amount = '900.25'): string =>
  `${freshReference()},${amount},THB,,KBANK,Kasikornbank,${account},Niran Wongsa,,`;

/** A wallet transfer. It has no proof, so a batch of many ends sooner. Its address's ending steers the sandbox. */
export const walletRow = (currency: string, amount: string, reference = freshReference(), ending = '0277'): string =>
  `${reference},${amount},${currency},,,,,,${evmAddress(randomUUID()).toLowerCase().slice(0, -4)}${ending},`;

/** A TRON wallet whose transfers the sandbox holds for a check, because its address ends in `c4ec`. */
export const heldWallet = 'TE89epqwQDbWNgFSZjTC2YBSghEUg2c4eC';

/** A row to that wallet with an amount of its own, so that it is a debt that no other test has. */
export const heldRow = (reference: string): string =>
  `${reference},7.${randomInt(100_000, 1_000_000)},usdt-tron,,,,,,${heldWallet},`;

export const csvOf = (...rows: readonly string[]): string => `${[header, ...rows].join('\n')}\n`;
