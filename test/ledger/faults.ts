import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createLedger } from '../../functions/ledger/ledger.ts';
import type { LedgerDependencies } from '../../functions/ledger/table/store.ts';
import type { Ledger } from '../../functions/ports/ledger/ledger.ts';

const writes: readonly string[] = [
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'TransactWriteItemsCommand',
];

const reset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** @param attempt from 1, plus one for each repetition by the SDK */
type Fault = (commandName: string, request: () => Promise<unknown>, attempt: number) => Promise<unknown>;

/** In memory there is no SDK, so this repeats a request once after a lost answer, like the SDK. */
const inMemory = ({ client: memory, ...dependencies }: LedgerDependencies, fault: Fault): Ledger => {
  const send = async (command: Parameters<typeof memory.send>[0]): Promise<unknown> => {
    const name = command.constructor.name.replace(/^_?(Put|Update|Delete)Command$/, '$1ItemCommand');
    const commandName = name.replace(/^_?TransactWriteCommand$/, 'TransactWriteItemsCommand');
    const answers: unknown[] = [];
    const request = async () => answers.push(await memory.send(command));
    try {
      await fault(commandName, request, 1);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error;
      await request();
    }
    return answers.at(-1);
  };
  const client: DynamoDBDocumentClient = Object.create(memory, { send: { value: send } });
  return createLedger({ ...dependencies, client });
};

/** The ledger on a client with a fault, applied to each attempt of the SDK separately. */
const ledgerWith = (dependencies: LedgerDependencies, fault: Fault): Ledger => {
  if (process.env['LEDGER_UNDER_TEST'] === 'memory') return inMemory(dependencies, fault);
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ retryMode: 'standard' }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  /** Attempts per request, identified by its context. */
  const attempts = new WeakMap<object, number>();
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const answers: Awaited<ReturnType<typeof next>>[] = [];
      const attempt = (attempts.get(context) ?? 0) + 1;
      attempts.set(context, attempt);
      await fault(String(context['commandName']), async () => answers.push(await next(args)), attempt);
      const [answer] = answers;
      if (answer === undefined) throw reset();
      return answer;
    },
    // Inside the SDK's retries, so that each attempt passes here.
    { step: 'finalizeRequest', priority: 'low', name: 'fault' },
  );
  return createLedger({ ...dependencies, client });
};

/** Every write succeeds, but its first answer is lost, so the SDK repeats it. */
export const losingAnswers = (dependencies: LedgerDependencies): Ledger =>
  ledgerWith(dependencies, async (name, request, attempt) => {
    await request();
    if (attempt === 1 && writes.includes(name)) throw reset();
  });

/** Lets this many writes pass, then the function that makes them dies. */
export const dyingAfter = (dependencies: LedgerDependencies, allowed: number): Ledger => {
  let left = allowed;
  return ledgerWith(dependencies, async (name, request) => {
    if (writes.includes(name)) {
      if (left === 0) throw new Error('the function died');
      left -= 1;
    }
    await request();
  });
};

/** Once, before its first transaction, something else happens. */
export const interruptedBy = (dependencies: LedgerDependencies, happens: () => Promise<unknown>): Ledger => {
  let isInterrupted = false;
  return ledgerWith(dependencies, async (name, request) => {
    if (name === 'TransactWriteItemsCommand' && !isInterrupted) {
      isInterrupted = true;
      await happens();
    }
    await request();
  });
};
