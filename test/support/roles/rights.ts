/**
 * The rights of each function, stated independently of infra/. test/infra/permissions.test.ts compares them with the policies in
 * the templates. test/contract/roles/denied.test.ts tries every right with every role, including the rights that it lacks.
 *
 * policy-lines.ts lists the policy lines of each right. Every function may also write its logs and traces.
 */
export type Rights = Readonly<Record<string, readonly string[]>>;

const ledger = (...actions: readonly string[]): readonly string[] => actions.map((action) => `ledger ${action}`);
const looks = ledger('GetItem', 'Query');
const changes = [...looks, ...ledger('ConditionCheckItem', 'PutItem', 'UpdateItem')];
const releases = [...changes, ...ledger('DeleteItem')];
const many = ledger('BatchGetItem');
const indexes = ['index batches-by-day', 'index open'];

const starts = ['workflow start', 'workflow describe'];
/** For functions that move money, or need a read under the same credential of the provider: see functions/provider/SIGNING.md. */
const pays = ['secret signing', 'secret authorization'];
const asks = ['secret signing'];
/** Files that operators get links to: all reports, and some files beside the plan. */
const links = ['reports read', 'errors read'];

/** The steps of the workflow. */
const stepRights: Rights = {
  PlanBatch: [...releases, ...many, 'uploads read', 'plans read', 'plans write', 'secret authorization'],
  AwaitStart: [...releases, 'schedule make', 'schedule take back', 'schedule hand over role'],
  EstimateFees: [...changes, ...asks],
  PlanFunding: [...releases, ...pays],
  AwaitRelease: releases,
  Convert: [...releases, ...pays],
  SubmitChunk: [...changes, ...pays, 'plans read'],
  EndSubmit: changes,
  // Writes which chunks a round submits again. It can neither read nor write a plan, which decides who is paid.
  Follow: [...changes, ...many, ...asks, 'proofs write', 'proofs lock', 'rounds write'],
  HandOver: [...changes, ...starts],
  ReportBatch: [...releases, ...many, 'plans read', 'reports write', 'reports lock'],
  RecordFailure: changes,
};

/** The functions of the orchestrator. */
export const orchestratorRights: Rights = {
  ...stepRights,

  StartBatch: [...changes, ...starts, 'uploads find', 'uploads read'],
  ListBatches: indexes,
  GetBatch: [...looks, 'ledger PutItem of PROGRESS#'],
  ListPayouts: [...looks, ...many],
  ListEvents: looks,
  GetPayout: [...looks, ...many],
  GetFileLink: [...looks, ...links],
  ZipProofs: [...looks, 'proofs read', 'archives read', 'archives write'],
  GetProofLink: [...looks, 'proofs read'],
  GetRecipient: [...looks, 'plans read'],
  SearchPayouts: [...looks, ...many, 'index batches-by-day', 'index payouts-by-destination'],
  PauseBatch: changes,
  ResumeBatch: [...changes, ...starts],
  CancelBatch: [...changes, ...starts],
  ApproveBatch: [...changes, ...starts],
  RejectBatch: releases,
  SettlePayout: [...changes, ...asks, 'plans read'],
  SettleConversion: releases,
  GetFunds: looks,
  GetTemplateCsv: [],
  GetTemplateWorkbook: [],

  // Reads the same data as all endpoints. For everything else it invokes functions of the API.
  DrawConsole: [
    ...[...looks, ...many, ...indexes, 'index payouts-by-destination', 'ledger PutItem of PROGRESS#'],
    ...[...links, 'proofs read', 'uploads list', 'invoke ZipProofs'],
  ],
  SteerBatch: ['invoke PauseBatch', 'invoke CancelBatch'],
  BeginBatch: ['invoke StartBatch'],

  WatchBatches: [...releases, ...indexes, ...starts],
  BeginScheduled: [...changes, ...starts],
  ReconcileBatches: [...releases, ...many, ...indexes, ...asks, ...starts],

  PublishNews: [...looks, ...many, 'events keep', 'events put', 'stream read'],
  PublishOverdue: [...looks, ...many, ...indexes, 'events keep', 'events put'],
  NotifyPeople: [...looks, 'notice publish'],

  ReceiveWebhook: ['ledger PutItem of WEBHOOK#', 'ledger UpdateItem of WEBHOOK#', 'secret webhook address'],
  HandOnWebhook: ['stream read', 'Hints send'],
  ApplyWebhook: [...changes, ...asks, 'Hints consume', 'Unapplied send'],
  ReapplyWebhooks: ['Hints send', 'Unapplied take'],
};

/** The function that the setting `eventWebhook` adds. */
export const eventWebhookRights: Rights = {
  DeliverEvents: ['secret event webhook', 'EventQueue consume', 'EventsUndelivered send'],
};

/** Roles that AWS services assume: the state machine's, and that of the batches' schedules. */
export const serviceRights: Rights = {
  BatchWorkflowStateMachineRole: [
    ...Object.keys(stepRights).map((step) => `invoke versions of ${step}`),
    ...['map read manifests', 'map keep results', 'map run children', 'execution logs', 'execution traces'],
  ],
  schedules: ['invoke BeginScheduled'],
};

/** The role that the setting `provider.staticAddresses` adds. */
export const networkRights: Rights = { ProviderNetworkVpcRefusedIAMRole: ['refused traffic log'] };

const service = (...actions: readonly string[]): readonly string[] =>
  actions.map((action) => `service table ${action}`);
const reads = service('BatchGetItem', 'GetItem', 'Query');
const writes = service('PutItem', 'UpdateItem');
const deletes = service('BatchWriteItem', 'DeleteItem');
const faults = service('UpdateItem of MERCHANT#', 'UpdateItem of FAULT#');

/** The functions of the payment service, as a sandbox. */
export const paymentServiceRights: Rights = {
  BalanceAndConvert: [...reads, ...writes, 'secrets merchants'],
  Disbursements: [...reads, ...writes, ...deletes, 'secrets merchants', 'Due send'],
  Deposits: [...reads, ...writes, 'secrets merchants', 'Due send'],
  TransferProofs: [...reads, ...service('PutItem of SIGNATURE#'), ...faults, 'secrets merchants'],
  SandboxControls: [...reads, ...service('UpdateItem of MERCHANT#'), 'secrets merchants', 'Due send'],
  CheckoutPage: [...service('GetItem'), ...writes, 'Due send'],
  SettleGroups: [...reads, ...writes, ...deletes, 'Due send', 'Due consume'],
  AnnounceChanges: [
    ...[...service('GetItem'), ...faults, 'service stream read'],
    ...['Webhooks send', 'Undelivered send'],
  ],
  DeliverWebhooks: [
    ...service('GetItem', 'PutItem of DELIVERIES#'),
    'secrets merchants',
    'Webhooks consume',
    'Undelivered send',
  ],
  RegisterWebhook: service('PutItem of MERCHANT#'),
  ListWebhookDeliveries: service('Query'),
};

/** The functions of the orchestrator that have a right. */
export const holdersOf = (right: string): readonly string[] =>
  Object.entries(orchestratorRights).flatMap(([name, rights]) => (rights.includes(right) ? [name] : []));

const onData = {
  key: /^(ledger|index|events keep|stream|uploads|plans|rounds|proofs|reports|errors|archives)\b/,
  'service key': /^service table\b/,
} as const;

const isWrite = (right: string): boolean => / (PutItem|UpdateItem|DeleteItem|BatchWriteItem|write|keep)\b/.test(right);

/** The data of each stack is encrypted, so a right on it includes the use of its key: for reading, or also for writing. */
export const keyUses = (rights: readonly string[]) =>
  (['key', 'service key'] as const).flatMap((key) => {
    const data = rights.filter((right) => onData[key].test(right));
    return data.length === 0 ? [] : [{ key, writes: data.some(isWrite) }];
  });
