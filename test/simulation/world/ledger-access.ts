import { InternalServerError, ThrottlingException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { LedgerDependencies } from '../../../functions/ledger/table/store.ts';
import type { Clock, Ids, Random } from '../../../functions/ports/environment.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Mishap, Process } from '../process.ts';
import type { Chance } from './random.ts';
import type { Place } from './storms.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

export interface LedgerParts {
  readonly table: MemoryTable;
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly weather: Weather;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  /** Told who is about to write, so that a change is known by its writer. */
  readonly onSend: (who: string) => void;
  /** Told of each write to the mark of a payout's look-ups, the moment it leaves. */
  readonly onAskLeave: (who: string, reference: string) => void;
}

const outage = (): Error => new InternalServerError({ $metadata: {}, message: 'DynamoDB is out' });
const throttled = (): Error => new ThrottlingException({ $metadata: {}, message: 'slow down' });
const conflict = (): Error =>
  new TransactionCanceledException({
    $metadata: {},
    message: 'Transaction cancelled',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });

const isRead = (command: unknown): boolean =>
  command instanceof GetCommand || command instanceof QueryCommand || command instanceof BatchGetCommand;

/** Kinds of items by which a write is named; of those in one transaction the first here. */
const written = ['REF', 'CALL', 'CONVERSION', 'PAYOUT', 'CHUNK', 'RESERVED', 'LOCK', 'LOOKUP', 'BATCH'] as const;

const kindOf = (key: Readonly<Record<string, unknown>> | undefined): string => String(key?.['sk']).replace(/#.*$/, '');

/** Which change of a currency's reservations is the last. */
const isFundsVersion = (command: unknown): boolean =>
  command instanceof GetCommand && kindOf(command.input.Key) === 'RESERVED';

const placeOf = (command: unknown): Place => {
  if (isRead(command)) return isFundsVersion(command) ? 'read RESERVED' : 'read';
  const kinds =
    command instanceof TransactWriteCommand
      ? (command.input.TransactItems ?? []).map(({ Put, Update }) => kindOf(Put?.Item ?? Update?.Key))
      : command instanceof PutCommand
        ? [kindOf(command.input.Item)]
        : [kindOf(command instanceof UpdateCommand ? command.input.Key : undefined)];
  const kind = written.find((candidate) => kinds.includes(candidate));
  return kind === undefined ? 'write other' : `write ${kind}`;
};

/** What befalls a request to the table, by the weather. */
const mishapOf = ({ timeline, chance, weather }: LedgerParts, command: unknown): Mishap => {
  if (timeline.now > weather.until) return {};
  const { throttled: slowed, conflict: met, errorBefore, errorAfter, answerLost } = weather.ledger;
  if (chance.happens(slowed)) return { before: throttled() };
  if (command instanceof TransactWriteCommand && chance.happens(met)) return { before: conflict() };
  if (chance.happens(errorBefore)) return { before: outage() };
  if (isRead(command)) return {};
  if (chance.happens(errorAfter)) return { after: outage() };
  return chance.happens(answerLost) ? { repeated: true } : {};
};

/** What the real ledger and its pace need, as one process has it: the table in memory. */
export const ledgerAccess = (
  parts: LedgerParts,
  process: Process,
): LedgerDependencies & Required<Pick<LedgerDependencies, 'wait'>> => {
  const { table, timeline, clock, ids, random, onSend } = parts;
  const send = (command: unknown): Promise<unknown> => {
    const place = placeOf(command);
    if (place === 'write LOOKUP' && command instanceof UpdateCommand) {
      parts.onAskLeave(process.name, String(command.input.Key?.['pk']).replace('LOOKUP#', ''));
    }
    return process.reach(
      place,
      () => {
        onSend(process.name);
        return table.answer(command);
      },
      mishapOf(parts, command),
    );
  };
  const client: DynamoDBDocumentClient = Object.create(table.client, { send: { value: send } });
  // A process that is gone must not wake up again, and no timer ends before its time.
  const wait = (ms: number): Promise<void> =>
    process.hang('wait', (settle) => timeline.in(Math.ceil(ms), () => settle(undefined)));
  return { client, table: table.name, clock, ids, random, wait };
};
