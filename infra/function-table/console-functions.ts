import type { FunctionRow } from './function-row.ts';
import type { OperatorEndpoint } from './operator-endpoints.ts';

interface Invokes {
  /** Functions of the operator API that it may invoke, each by the environment variable that holds its name. */
  readonly invokes: Readonly<Record<string, OperatorEndpoint>>;
}

/** A function that may only invoke others. */
type Forwarder = Pick<FunctionRow, 'entry' | 'description' | 'timeoutSeconds'> & Invokes;

/** The functions behind the console's widgets and buttons. */
export const consoleFunctions = {
  /** Reads, and signs links. It writes only the sum of a batch's counts, as GetBatch does, and leaves ZIPs to ZipProofs. */
  DrawConsole: {
    entry: 'functions/console/draw-console.ts',
    description: 'Draws the widgets of the console',
    // Longer than ZipProofs, which it waits for.
    timeoutSeconds: 30,
    // A list renders twenty batches, and Lambda gives processor time in proportion to memory.
    memoryMb: 1024,
    ledger: ['read', 'readMany', 'readIndexes', 'searchPayouts', 'keepProgress'],
    files: ['readReports', 'readProofs', 'listUploads'],
    showsPace: true,
    workflow: 'points',
    invokes: { ZIP_FUNCTION: 'ZipProofs' },
  },
  /** It cannot approve, resume or settle, whatever it is asked. */
  SteerBatch: {
    entry: 'functions/console/steer-batch.ts',
    description: 'Pauses and cancels batches for the console',
    timeoutSeconds: 30,
    invokes: { PAUSE_FUNCTION: 'PauseBatch', CANCEL_FUNCTION: 'CancelBatch' },
  },
  /** It begins only previews, and batches that a person then approves. */
  BeginBatch: {
    entry: 'functions/console/begin-batch.ts',
    description: 'Begins previews, and batches that a person approves, for the console',
    timeoutSeconds: 30,
    invokes: { START_FUNCTION: 'StartBatch' },
  },
} as const satisfies { readonly DrawConsole: FunctionRow & Invokes } & Readonly<
  Record<'SteerBatch' | 'BeginBatch', Forwarder>
>;
