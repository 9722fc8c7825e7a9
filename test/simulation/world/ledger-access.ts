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
import type { Chance } from '../../support/chance.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Mishap, Process } from '../process.ts';
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
  /** Called with the writer before each write, so that each change is attributed. */
  readonly onSend: (actor: string) => void;
  /** Called with each write to a payout's lookup mark, the moment it leaves. */
  readonly onAskLeave: (actor: string, reference: string) => void;
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

/** Kinds of items, by which a write is named. A transaction is named by the first of these that it contains. */
const written = ['REF', 'CALL', 'CONVERSION', 'PAYOUT', 'CHUNK', 'RESERVED', 'LOCK', 'LOOKUP', 'BATCH'] as const;

const kindOf = (key: Readonly<Record<string, unknown>> | undefined): string => String(key?.['sk']).replace(/#.*$/, '');

/** True for a read of the item that holds the version of a currency's reservations. */
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

/** The fault of a request to the table, drawn from the weather. */
const mishapOf = ({ timeline, chance, weather }: LedgerParts, command: unknown): Mishap => {
  if (timeline.now > weather.until) return {};
  const { throttled: throttles, conflict: conflicts, errorBefore, errorAfter, answerLost } = weather.ledger;
  if (chance.happens(throttles)) return { before: throttled() };
  if (command instanceof TransactWriteCommand && chance.happens(conflicts)) return { before: conflict() };
  if (chance.happens(errorBefore)) return { before: outage() };
  if (isRead(command)) return {};
  if (chance.happens(errorAfter)) return { after: outage() };
  return chance.happens(answerLost) ? { repeated: true } : {};
};

/** The dependencies of the real ledger and its pace for one process, on the table in memory. */
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
  // A dead process must not wake up again, and no timer ends early.
  const wait = (ms: number): Promise<void> =>
    process.hang('wait', (settle) => timeline.in(Math.ceil(ms), () => settle(undefined)));
  return { client, table: table.name, clock, ids, random, wait };
};
