/**
 * Who may do what: each function of both stacks, and all it may touch. `test/infra` holds the templates to these tables, and
 * `test/e2e/denied.test.ts` tries every right there is with every role, those it has not included.
 */

const change = ['ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'];
/** Its writes are of events alone. */
const tells = ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'];
const release = ['ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'];

/** Each function's file, and all it may do with the ledger and with the files. */
export const orchestratorFunctions: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['PlanBatch', 'steps/plan-batch', ['BatchGetItem', ...release], ['plans read', 'plans write', 'uploads read']],
  ['AwaitStart', 'steps/await-start', release, []],
  ['EstimateFees', 'steps/estimate-fees', change, []],
  ['PlanFunding', 'steps/plan-funding', release, []],
  ['AwaitRelease', 'steps/await-release', release, []],
  ['Convert', 'steps/convert', release, []],
  ['SubmitChunk', 'steps/submit-chunk', change, ['plans read']],
  ['EndSubmit', 'steps/end-submit', change, []],
  // What it writes of a round is which chunks to submit again: a plan, which says what is paid to whom, it can neither read nor write.
  ['Follow', 'steps/follow', ['BatchGetItem', ...change], ['proofs write', 'rounds write']],
  ['HandOver', 'steps/hand-over', change, []],
  ['ReportBatch', 'steps/report-batch', ['BatchGetItem', ...release], ['plans read', 'reports write']],
  ['RecordFailure', 'steps/record-failure', change, []],
  ['StartBatch', 'api/start-batch', change, ['uploads find', 'uploads read']],
  ['ListBatches', 'api/list-batches', ['Query'], []],
  ['GetBatch', 'api/get-batch', ['GetItem', 'PutItem', 'Query'], []],
  ['ListPayouts', 'api/list-payouts', ['BatchGetItem', 'GetItem', 'Query'], []],
  ['ListEvents', 'api/list-events', ['GetItem', 'Query'], []],
  ['GetPayout', 'api/get-payout', ['BatchGetItem', 'GetItem', 'Query'], []],
  ['GetFileLink', 'api/get-file-link', ['GetItem', 'Query'], ['reports read']],
  ['ArchiveProofs', 'api/archive-proofs', ['GetItem', 'Query'], ['archives read', 'archives write', 'proofs read']],
  ['GetProofLink', 'api/get-proof-link', ['GetItem', 'Query'], ['proofs read']],
  ['TellRecipient', 'api/tell-recipient', ['GetItem', 'Query'], ['plans read']],
  ['SearchPayouts', 'api/search-payouts', ['BatchGetItem', 'Query'], []],
  ['PauseBatch', 'api/pause-batch', change, []],
  ['ResumeBatch', 'api/resume-batch', change, []],
  ['CancelBatch', 'api/cancel-batch', change, []],
  ['ApproveBatch', 'api/approve-batch', change, []],
  ['RejectBatch', 'api/reject-batch', release, []],
  ['SettlePayout', 'api/settle-payout', change, ['plans read']],
  ['SettleConversion', 'api/settle-conversion', release, []],
  ['GetFunds', 'api/get-funds', ['GetItem', 'Query'], []],
  ['GetTemplateCsv', 'api/template/get-template-csv', [], []],
  ['GetTemplateWorkbook', 'api/template/get-template-workbook', [], []],
  // Reads as the endpoints do together. What else it offers is done by functions of the API: see orchestratorInvocations.
  [
    'DrawConsole',
    'console/draw-console',
    ['BatchGetItem', 'GetItem', 'PutItem', 'Query'],
    ['proofs read', 'reports read', 'uploads list'],
  ],
  ['SteerBatch', 'console/steer-batch', [], []],
  ['BeginBatch', 'console/begin-batch', [], []],
  ['WatchBatches', 'watch/watch-batches', release, []],
  ['BeginScheduled', 'watch/begin-scheduled', change, []],
  ['ReconcileBatches', 'watch/reconcile-batches', ['BatchGetItem', ...release], []],
  ['PublishNews', 'events/publish-news', tells, []],
  ['PublishOverdue', 'events/publish-overdue', tells, []],
  ['TellPeople', 'events/tell-people', ['GetItem', 'Query'], []],
  ['ReceiveWebhook', 'webhooks/receive', ['PutItem', 'UpdateItem'], []],
  ['HandOnWebhook', 'webhooks/hand-on', [], []],
  ['ReapplyWebhooks', 'webhooks/reapply', [], []],
  ['ApplyWebhook', 'webhooks/apply', change, []],
];

/** Of the orchestrator's functions: who may read which secret, ask the ledger's indexes, start an execution of a batch. */
export const orchestratorRights = {
  signing: [
    'EstimateFees',
    'PlanFunding',
    'Convert',
    'SubmitChunk',
    'Follow',
    'SettlePayout',
    'ReconcileBatches',
    'ApplyWebhook',
  ],
  /** What moves money: see functions/provider/SIGNING.md for why the two that only read are here. */
  authorization: ['PlanBatch', 'PlanFunding', 'Convert', 'SubmitChunk'],
  webhookAddress: ['ReceiveWebhook'],
  indexes: ['ListBatches', 'SearchPayouts', 'DrawConsole', 'WatchBatches', 'ReconcileBatches', 'PublishOverdue'],
  /** Find payouts by their destination. */
  destinations: ['SearchPayouts', 'DrawConsole'],
  /** The table's own items are not for this one: it asks an index only. */
  indexesAlone: ['ListBatches'],
  /** All others may use the key of the ledger and the files. */
  withoutKey: ['SteerBatch', 'BeginBatch', 'ReapplyWebhooks'],
  tellsPeople: ['TellPeople'],
  publishesEvents: ['PublishNews', 'PublishOverdue'],
  startsExecutions: [
    'HandOver',
    'StartBatch',
    'ResumeBatch',
    'CancelBatch',
    'ApproveBatch',
    'WatchBatches',
    'BeginScheduled',
    'ReconcileBatches',
  ],
  /** Makes schedules, and takes them back. */
  schedules: ['AwaitStart'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Functions of the operator API that another function may invoke: no other function may invoke any. */
export const orchestratorInvocations: Readonly<Record<string, readonly string[]>> = {
  DrawConsole: ['ArchiveProofs'],
  SteerBatch: ['CancelBatch', 'PauseBatch'],
  BeginBatch: ['StartBatch'],
};

/** Which of the orchestrator's functions may do what with its queues. */
export const orchestratorQueues: Readonly<Record<string, readonly string[]>> = {
  HandOnWebhook: ['SendMessage Hints'],
  ApplyWebhook: ['SendMessage Unapplied', 'take from Hints'],
  ReapplyWebhooks: ['SendMessage Hints', 'take from Unapplied'],
};

const read = ['BatchGetItem', 'GetItem', 'Query'];
const write = ['BatchWriteItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'];

/** Each function of the payment service: all it may do with the table, with how many merchants' secrets, and with which queues. */
export const paymentServiceFunctions: readonly (readonly [string, readonly string[], number, readonly string[]])[] = [
  ['BalanceAndConvert', [...read, ...write], 3, []],
  ['Disbursements', [...read, ...write, 'DeleteItem'], 3, ['SendMessage Due']],
  ['Deposits', [...read, ...write], 3, ['SendMessage Due']],
  ['TransferProofs', [...read, 'PutItem', 'UpdateItem'], 3, []],
  ['SandboxControls', [...read, 'UpdateItem'], 3, ['SendMessage Due']],
  ['CheckoutPage', ['GetItem', 'PutItem', 'UpdateItem'], 0, ['SendMessage Due']],
  ['SettleGroups', [...read, ...write, 'DeleteItem'], 0, ['SendMessage Due', 'take from Due']],
  ['AnnounceChanges', ['GetItem', 'UpdateItem'], 0, ['SendMessage Webhooks', 'SendMessage Undelivered']],
  ['DeliverWebhooks', ['GetItem', 'PutItem'], 3, ['SendMessage Undelivered', 'take from Webhooks']],
  ['RegisterWebhook', ['PutItem'], 0, []],
  ['ListWebhookDeliveries', ['Query'], 0, []],
];
