import { paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn';
import { expect, inject, it } from 'vitest';
import { deploy, localTarget } from '../../../infra/local/aws/deploy.ts';
import { taskAttemptsOf } from '../../../infra/local/costs/task-attempts.ts';
import { executionFamily } from '../../../infra/local/costs/workflow-usage.ts';
import { pageOf, send } from '../../support/payment-service/merchant.ts';
import {
  csvOf,
  freshAccount,
  freshReference,
  idrRow,
  payoutOf,
  start,
  until,
  untilEnded,
  upload,
} from '../deployed/deployed-orchestrator.ts';

const rows = 2000;
const everyMs = 2000;
/** An account whose transfers the sandbox holds for a check, so the batch cannot end until someone releases them. */
const held = '9902';

/** The function versions that a batch's first execution and its children called, by function name. */
const versionsCalled = async (batchId: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const sfn = new SFNClient();
  const { StateMachineArn } = inject('localAws').outputs.PayoutOrchestrator;
  const first = `${StateMachineArn.replace(':stateMachine:', ':execution:')}:${batchId}`;
  const called = new Map<string, Set<string>>();
  for (const executionArn of await executionFamily(sfn, first)) {
    for await (const { events = [] } of paginateGetExecutionHistory({ client: sfn }, { executionArn })) {
      for (const { resource } of taskAttemptsOf(events)) {
        const [name = '', version = '$LATEST'] = resource.split(':').slice(6);
        called.set(name, (called.get(name) ?? new Set()).add(version));
      }
    }
  }
  return called;
};

/** Number of the provider's disbursements per reference. */
const paidUnder = async (): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  for (let page = 1, hasNext = true; hasNext; page += 1) {
    const { docs, hasNextPage } = await pageOf(`/v1/disbursement/fiat?limit=100&page=${page}`);
    for (const { reference = '' } of docs) counts.set(reference, (counts.get(reference) ?? 0) + 1);
    hasNext = hasNextPage;
  }
  return counts;
};

it('finishes a batch of 2,000 on the versions that it began with, and begins the next on newer ones', {
  timeout: 900_000,
}, async () => {
  const references = Array.from({ length: rows }, freshReference);
  const [last = ''] = references.slice(-1);
  const ending = (reference: string): string => (reference === last ? held : '4567');
  const file = await upload(
    csvOf(
      ...references.map((reference) =>
        idrRow({ reference, amount: '20000', account: freshAccount(ending(reference)) }),
      ),
    ),
  );
  const batchId = await start(file);
  await until(batchId, ({ counts }) => (counts.pending ?? 0) + (counts.completed ?? 0) > 0, 200_000, everyMs);

  const { aws } = inject('localAws');
  // Every function of the workflow has its settings in its environment, so a change makes a new version of each.
  const changed = JSON.stringify({ fundsRecheckSeconds: 59 });
  await deploy(localTarget(aws), { settings: { ...inject('deployedWith'), orchestrator: changed } });
  const next = await start(await upload(csvOf(idrRow())));
  expect(await untilEnded(next)).toMatchObject({ status: 'completed' });
  await until(batchId, ({ counts }) => counts.completed === rows - 1, 280_000, everyMs);
  const { disbursementId } = await payoutOf(last);
  expect((await send('PATCH', `/v1/disbursement/${disbursementId}`, { status: 'completed' })).status).toBe(200);
  expect(await untilEnded(batchId)).toMatchObject({
    status: 'completed',
    counts: { completed: rows },
    executions: [expect.anything()],
  });

  const paid = await paidUnder();
  expect(references.filter((reference) => paid.get(reference) !== 1)).toEqual([]);

  const [before, after] = [await versionsCalled(batchId), await versionsCalled(next)];
  expect(before.size).toBeGreaterThan(5);
  for (const [name, versions] of before) {
    expect([...versions], name).toHaveLength(1);
    expect([...versions], name).not.toContain('$LATEST');
  }
  for (const [name, versions] of after) expect([...versions], name).not.toEqual([...(before.get(name) ?? [])]);
});
