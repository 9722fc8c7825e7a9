import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Service } from './api/service.ts';
import { authenticateBy } from './auth/authenticate.ts';
import { assets } from './domain/currencies.ts';
import { groupIdFrom } from './domain/disbursement-id.ts';
import { settlementPlan } from './domain/settlement-plan.ts';
import type { Endpoint } from './http/endpoint.ts';
import { lambdaHandler } from './http/lambda.ts';
import { route } from './http/router.ts';
import { paymentServiceRuntime } from './runtime.ts';
import type { SettlementMessage } from './settlement/message.ts';
import { readBalances } from './store/balances.ts';
import type { CreateGroupPorts } from './store/create-group.ts';
import { createGroup, createGroups } from './store/create-group.ts';
import { findOnRail } from './store/find-disbursement.ts';
import { listDisbursements } from './store/list-disbursements.ts';
import { convert, findQuote, keepQuote } from './store/quotes.ts';
import { setStatus } from './store/set-status.ts';

type Runtime = ReturnType<typeof paymentServiceRuntime>;

function scheduleSettlement(runtime: Runtime, accountId: string): CreateGroupPorts['scheduleSettlement'] {
  const { sqs, queues, settings, now } = runtime;
  return async (groupId, { rail, items }) => {
    const firstSteps = items.flatMap(
      ({ outcome }, position) =>
        settlementPlan(settings.settlement, { rail, outcome, position })[0]?.afterSeconds ?? [],
    );
    const message: SettlementMessage = { groupId, accountId, postedAt: now().toISOString() };
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queues.settlement,
        MessageBody: JSON.stringify(message),
        DelaySeconds: Math.min(900, ...firstSteps),
      }),
    );
  };
}

/** The service over its table and queues. */
function serviceFrom(runtime: Runtime): Service {
  const { table, openingBalances, settings, now, pause, random, randomHex } = runtime;
  const ports = { table, openingBalances, now, pause, random };
  const codes = assets.map((asset) => asset.code);
  const { reusableCryptoReferences } = settings;
  const groupPorts = (accountId: string) => ({
    ...ports,
    reusableCryptoReferences,
    newGroupId: () => groupIdFrom(randomHex()),
    scheduleSettlement: scheduleSettlement(runtime, accountId),
  });
  return {
    settings,
    now,
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
}

/** The Lambda handler that serves these endpoints, over the real table. */
export function serveEndpoints(endpoints: readonly Endpoint<Service>[]) {
  const runtime = paymentServiceRuntime();
  const { settings, readCredentials, now } = runtime;
  const gate = {
    authenticate: authenticateBy({
      readCredentials,
      now,
      organizationName: settings.merchant.organizationName,
    }),
    maximumBodyBytes: settings.maximumBodyBytes,
    now,
  };
  return lambdaHandler(route(gate, serviceFrom(runtime), endpoints));
}
