import { approveBatch } from '../../functions/api/batches/approve-batch.ts';
import { cancelBatch } from '../../functions/api/batches/cancel-batch.ts';
import { getBatch } from '../../functions/api/batches/get-batch.ts';
import { getFileLink } from '../../functions/api/batches/get-file-link.ts';
import { listBatches } from '../../functions/api/batches/list-batches.ts';
import { listEvents } from '../../functions/api/batches/list-events.ts';
import { pauseBatch } from '../../functions/api/batches/pause-batch.ts';
import { rejectBatch } from '../../functions/api/batches/reject-batch.ts';
import { resumeBatch } from '../../functions/api/batches/resume-batch.ts';
import { startBatch } from '../../functions/api/batches/start-batch.ts';
import { zipProofs } from '../../functions/api/batches/zip-proofs.ts';
import { endpoint } from '../../functions/api/endpoint.ts';
import { getFunds } from '../../functions/api/get-funds.ts';
import type { GatewayResponse } from '../../functions/api/http/gateway.ts';
import { getPayout } from '../../functions/api/payouts/get-payout.ts';
import { getProofLink } from '../../functions/api/payouts/get-proof-link.ts';
import { getRecipient } from '../../functions/api/payouts/get-recipient.ts';
import { listPayouts } from '../../functions/api/payouts/list-payouts.ts';
import { searchPayouts } from '../../functions/api/payouts/search-payouts.ts';
import * as batchOperations from '../../functions/api/schemas/operations/batch-operations.ts';
import { operations } from '../../functions/api/schemas/operations/operations.ts';
import * as payoutOperations from '../../functions/api/schemas/operations/payout-operations.ts';
import * as template from '../../functions/api/schemas/operations/template-operations.ts';
import { settleConversion } from '../../functions/api/settle/settle-conversion.ts';
import { settlePayout } from '../../functions/api/settle/settle-payout.ts';
import { getTemplateCsv } from '../../functions/api/template/get-template-csv.ts';
import { getTemplateWorkbook } from '../../functions/api/template/get-template-workbook.ts';
import { orchestratorSettings } from '../../functions/domain/settings.ts';
import { createFiles } from '../../functions/files/files.ts';
import type { Workflow } from '../../functions/ports/workflow.ts';
import { receive } from '../../functions/webhooks/receive-webhook.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { MemoryBucket } from '../support/memory-bucket.ts';
import { createMemoryLedger } from '../support/memory-ledger.ts';
import { createListedProvider } from '../support/scenes/listed-provider.ts';
import type { Lambda, ProxyEvent } from '../support/servers/loopback-gateway.ts';
import { parametersOf } from '../support/servers/loopback-gateway.ts';
import { silentLog } from '../support/silent-log.ts';
import { addBatches } from './operator-batches.ts';

/** IAM users by access key. The first starts batches, the second approves or rejects them. */
export const principals: ReadonlyMap<string, string> = new Map([
  ['AKIASTARTER', 'arn:aws:iam::123456789012:user/starter'],
  ['AKIADECIDER', 'arn:aws:iam::123456789012:user/decider'],
]);

export const webhookToken = 'a-token-of-the-webhook-address';

/** A workflow whose executions never end. */
const endlessWorkflow = (): Workflow => {
  const running = new Set<string>();
  return {
    start: async (name) => {
      const isNew = !running.has(name);
      running.add(name);
      return isNew ? 'started' : 'running';
    },
    stateOf: async (name) => (running.has(name) ? 'running' : 'absent'),
    consoleUrl: (name) => `https://console.test/${name}`,
  };
};

/** Creates the endpoints' dependencies in memory. */
const dependenciesOf = async (clock: () => number) => {
  const ledger = createMemoryLedger(clock);
  const bucket = new MemoryBucket();
  const s3 = bucket.client();
  const files = createFiles({ s3, uploads: s3, bucket: 'files', clock });
  const { provider } = createListedProvider(clock);
  for (const name of ['salaries', 'vendors']) bucket.put(`uploads/${name}.csv`, Buffer.from('reference,amount\n'));
  await addBatches(ledger, files, principals.get('AKIASTARTER') ?? '');
  let made = 0;
  return {
    ledger,
    files,
    bucket: 'files',
    provider: { ...provider, destinationSearch: () => async () => [] },
    workflow: endlessWorkflow(),
    settings: orchestratorSettings().parse({}),
    pace: {
      state: async () =>
        (['post', 'read'] as const).map((kind) => ({ kind, limitPerSecond: 10, perSecond: 10, queuedMs: 0 })),
    },
    ids: {
      sortable: () => {
        made += 1;
        return made.toString().padStart(26, '0');
      },
    },
    webhookSettings: async () => ({ token: webhookToken, secrets: [] }),
    clock,
    log: silentLog,
  };
};

type Dependencies = Awaited<ReturnType<typeof dependenciesOf>>;

/** Binds each handler to these dependencies, as its file in functions/api does for the deployed one. */
const handlersOf = (
  all: Dependencies,
): Readonly<Record<string, (event: unknown, context: typeof lambdaContext) => Promise<GatewayResponse>>> => ({
  startBatch: endpoint(silentLog, batchOperations.startBatch, (request) => startBatch(all, request)),
  listBatches: endpoint(silentLog, batchOperations.listBatches, (request) => listBatches(all, request)),
  getBatch: endpoint(silentLog, batchOperations.getBatch, (request) => getBatch(all, request)),
  listEvents: endpoint(silentLog, batchOperations.listEvents, (request) => listEvents(all, request)),
  listPayouts: endpoint(silentLog, payoutOperations.listPayouts, (request) => listPayouts(all, request)),
  getPayout: endpoint(silentLog, payoutOperations.getPayout, (request) => getPayout(all, request)),
  zipProofs: endpoint(silentLog, batchOperations.zipProofs, (request) => zipProofs(all, request)),
  getProofLink: endpoint(silentLog, payoutOperations.getProofLink, (request) => getProofLink(all, request)),
  getRecipient: endpoint(silentLog, payoutOperations.getRecipient, (request) => getRecipient(all, request)),
  searchPayouts: endpoint(silentLog, payoutOperations.searchPayouts, (request) => searchPayouts(all, request)),
  getFileLink: endpoint(silentLog, batchOperations.getFileLink, (request) => getFileLink(all, request)),
  pauseBatch: endpoint(silentLog, batchOperations.pauseBatch, (request) => pauseBatch(all, request)),
  resumeBatch: endpoint(silentLog, batchOperations.resumeBatch, (request) => resumeBatch(all, request)),
  cancelBatch: endpoint(silentLog, batchOperations.cancelBatch, (request) => cancelBatch(all, request)),
  approveBatch: endpoint(silentLog, batchOperations.approveBatch, (request) => approveBatch(all, request)),
  rejectBatch: endpoint(silentLog, batchOperations.rejectBatch, (request) => rejectBatch(all, request)),
  settlePayout: endpoint(silentLog, payoutOperations.settlePayout, (request) => settlePayout(all, request)),
  settleConversion: endpoint(silentLog, batchOperations.settleConversion, (request) => settleConversion(all, request)),
  getFunds: endpoint(silentLog, batchOperations.getFunds, () => getFunds(all)),
  getTemplateCsv: endpoint(silentLog, template.getTemplateCsv, getTemplateCsv),
  getTemplateWorkbook: endpoint(silentLog, template.getTemplateWorkbook, getTemplateWorkbook),
});

const gatewayResponse = (statusCode: number, message: string): GatewayResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});

/** API Gateway's response to a missing signature, an unknown address, or a method that the address does not have. */
const missingToken = gatewayResponse(403, 'Missing Authentication Token');

/** Returns the caller's ARN, by the access key in the signature. On AWS, IAM verifies the signature, and no function sees it. */
const callerOf = ({ headers }: ProxyEvent): string | undefined =>
  principals.get(/^AWS4-HMAC-SHA256 Credential=(\w+)\//.exec(headers['authorization'] ?? '')?.[1] ?? '');

/** Serves all endpoints and the webhook address, over the ledger in memory with batches of every status. */
export const operatorApi = async (clock: () => number): Promise<Lambda> => {
  const all = await dependenciesOf(clock);
  const handlers = handlersOf(all);
  const answer = async (event: ProxyEvent): Promise<GatewayResponse> => {
    const { token } = parametersOf('/webhooks/{token}', event.path) ?? {};
    if (token !== undefined)
      return event.httpMethod === 'POST' ? receive(all, { ...event, pathParameters: { token } }) : missingToken;
    const userArn = callerOf(event);
    for (const { id, method, path } of operations) {
      const pathParameters = parametersOf(path, event.path);
      if (pathParameters === undefined || method.toUpperCase() !== event.httpMethod) continue;
      const requestContext = { ...event.requestContext, identity: { userArn } };
      return userArn === undefined
        ? missingToken
        : (handlers[id]?.({ ...event, pathParameters, requestContext }, lambdaContext) ?? missingToken);
    }
    return missingToken;
  };
  return async (event) => ({ ...(await answer(event)) });
};
