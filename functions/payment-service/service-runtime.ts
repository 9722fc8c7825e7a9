import type { Service } from './api/service.ts';
import { identifyBy } from './auth/authenticate.ts';
import { depositService } from './deposit-service.ts';
import { accountOf } from './domain/account.ts';
import { groupIdFrom } from './domain/disbursements/disbursement-id.ts';
import { settlementPlan } from './domain/disbursements/settlement-plan.ts';
import { assets } from './domain/money/currencies.ts';
import type { Strike } from './domain/sandbox/faults.ts';
import type { SandboxState } from './domain/sandbox/sandbox.ts';
import { merchantTime } from './domain/sandbox/sandbox.ts';
import { faultInjection, withFaults } from './faulty-service.ts';
import type { Endpoint } from './http/endpoint.ts';
import { lambdaHandler } from './http/lambda.ts';
import type { Gate } from './http/router.ts';
import { route } from './http/router.ts';
import { paymentServiceRuntime } from './runtime.ts';
import type { SettlementMessage } from './settlement/message.ts';
import { sendMessage } from './settlement/send-message.ts';
import { wakeUnfinished } from './settlement/wake.ts';
import { readBalances } from './store/balances.ts';
import { convert } from './store/conversions/convert.ts';
import { findQuote, keepQuote } from './store/conversions/quotes.ts';
import { createAgain } from './store/disbursements/create-again.ts';
import { createGroup, createGroups } from './store/disbursements/create-group.ts';
import { findOnRail } from './store/disbursements/find-disbursement.ts';
import { listDisbursements } from './store/disbursements/list-disbursements.ts';
import type { CreateGroupPorts } from './store/disbursements/new-groups.ts';
import { setStatus } from './store/disbursements/set-status.ts';
import { readList } from './store/lists/reads.ts';
import { resetSandbox, steer } from './store/sandbox/sandbox-state.ts';
import { useSignature } from './store/signatures.ts';

type Runtime = ReturnType<typeof paymentServiceRuntime>;

const scheduleSettlement = (
  runtime: Runtime,
  now: () => Date,
  accountId: string,
): CreateGroupPorts['scheduleSettlement'] => {
  const { settings } = runtime;
  return async (groupId, { rail, items }) => {
    const firstSteps = items.flatMap(
      ({ outcome }, position) =>
        settlementPlan(settings.settlement, { rail, outcome, position })[0]?.afterSeconds ?? [],
    );
    const message: SettlementMessage = { kind: 'group', groupId, accountId, postedAt: now().toISOString() };
    await sendMessage(runtime, message, Math.min(900, ...firstSteps));
  };
};

/** The service over its table and queues, as it is for one merchant: by their clock, at their rates, with their faults. */
const serviceFor = (runtime: Runtime, sandbox: SandboxState, strike: Strike): Service => {
  const { table, openingBalances, pause, random, randomHex } = runtime;
  const settings = { ...runtime.settings, rates: { ...runtime.settings.rates, ...sandbox.rates } };
  const now = () => merchantTime(sandbox, runtime.now());
  const ports = { table, openingBalances, now, pause, random };
  const codes = assets.map((asset) => asset.code);
  const { reusableCryptoReferences } = settings;
  const groupPorts = (accountId: string) => ({
    ...ports,
    reusableCryptoReferences,
    newGroupId: () => groupIdFrom(randomHex()),
    scheduleSettlement: scheduleSettlement(runtime, now, accountId),
  });
  const service: Service = {
    ...depositService(runtime, sandbox),
    settings,
    now,
    realNow: runtime.now,
    sandbox,
    steer: (clientId, change) => steer(table, clientId, change),
    resetSandbox: (clientId) => resetSandbox(table, clientId),
    wakeUnfinished: (accountId) =>
      wakeUnfinished({
        readList: (list, query) => readList(table, { accountId, list }, query),
        wakeGroup: (groupId) =>
          sendMessage(runtime, { kind: 'group', groupId, accountId, postedAt: now().toISOString() }, 0),
        wakeDeposit: (depositId) =>
          sendMessage(runtime, { kind: 'deposit', depositId, accountId, postedAt: now().toISOString() }, 0),
      }),
    newId: (kind) => `${kind}_${randomHex()}`,
    readBalances: (accountId) => readBalances(table, openingBalances, accountId, codes),
    keepQuote: (accountId, quote) => keepQuote(table, accountId, quote),
    findQuote: (accountId, quoteId) => findQuote(table, accountId, quoteId, now()),
    convert: (order) => convert(ports, order),
    createGroup: (accountId, draft) => createGroup(groupPorts(accountId), accountId, draft),
    createGroups: (accountId, drafts) => createGroups(groupPorts(accountId), accountId, drafts),
    findOnRail: (accountId, rail, idOrReference) => findOnRail(table, accountId, rail, idOrReference),
    listDisbursements: (list) => listDisbursements({ ...ports, reusableCryptoReferences }, list),
    setStatus: (accountId, disbursementId, status) => setStatus(ports, accountId, disbursementId, status),
  };
  return withFaults(service, strike, (accountId, draft) => createAgain(groupPorts(accountId), accountId, draft));
};

/** Who calls: a merchant by their credentials, in the generation that their sandbox is in. */
const authenticateFrom = (runtime: Runtime): Gate<Service>['authenticate'] => {
  const { merchants, readCredentials, sandboxOf, table, now } = runtime;
  const identify = identifyBy({
    readCredentials,
    now,
    useSignature: (clientId, signature, until) => useSignature(table, clientId, signature, until),
  });
  return async (access, request) => {
    const merchant = merchants.get((await identify(access, request)) ?? '');
    if (merchant === undefined) return undefined;
    const sandbox = await sandboxOf(merchant.clientId);
    return { account: accountOf(merchant, sandbox.generation), sandbox };
  };
};

/** Who is let in to the service, and what they find there. Only a sandbox's has faults. */
export const gateOf = (runtime: Runtime): Gate<Service> => ({
  authenticate: authenticateFrom(runtime),
  maximumBodyBytes: runtime.settings.maximumBodyBytes,
  now: runtime.now,
  portsFor: (sandbox, strike) => serviceFor(runtime, sandbox, strike),
  ...(runtime.settings.sandbox ? { faults: faultInjection(runtime) } : {}),
});

/** The Lambda handler that serves these endpoints, over the real table. */
export const serveEndpoints = (endpoints: readonly Endpoint<Service>[]) =>
  lambdaHandler(route(gateOf(paymentServiceRuntime()), endpoints));
