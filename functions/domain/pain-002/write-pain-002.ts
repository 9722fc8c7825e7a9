import type { Initiation } from '../batch/plan.ts';
import { InvariantBroken } from '../errors.ts';
import type { Reason } from '../payout/payout.ts';
import type { Instruction } from '../payout-file/readers/pain-001/read-pain-001.ts';
import type { RowStatuses } from './row-statuses.ts';
import type { ReportedStatus, StatusCounts } from './status-codes.ts';
import { externalCode, groupStatus, transactionStatuses } from './status-codes.ts';

type Instructions = () => AsyncIterable<readonly Instruction[]>;

const isPayment = (instruction: Instruction) => instruction.length === 1;

export interface StatusReport {
  readonly initiation: Initiation;
  /** This report's id, at most 35 characters. */
  readonly messageId: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** Reads the file's instructions from the first. May be called several times. */
  readonly instructions: Instructions;
  readonly statuses: RowStatuses;
  /** Why the whole file is refused. The report then has only the transactions with a reason of their own. */
  readonly refusal?: Reason;
}

/** Replaces an id that the file does not have. */
const notProvided = 'NOTPROVIDED';

/** The pain.002 version that answers each pain.001 version. */
const answers: Readonly<Record<Initiation['message'], string>> = {
  'pain.001.001.03': 'pain.002.001.03',
  'pain.001.001.09': 'pain.002.001.10',
};

const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const element = (name: string, text: string): string => {
  const escaped = text.replace(notInXml, ' ').replace(/[&<>]/g, (sign) => entities[sign] ?? sign);
  return `<${name}>${escaped}</${name}>`;
};

/** Empty when there is no text. */
const optional = (name: string, text: string): string => (text === '' ? '' : element(name, text));

/** The characters of one AddtlInf, and the most AddtlInf of a reason. */
const oneText = /.{1,105}/gsu;
const texts = 3;

const reasonXml = ({ code, message }: Reason): string => {
  const external = externalCode(code);
  const parts = (message.match(oneText) ?? []).slice(0, texts).map((part) => element('AddtlInf', part));
  const rsn = external === undefined ? element('Prtry', code.slice(0, 35)) : element('Cd', external);
  return `<StsRsnInf><Rsn>${rsn}</Rsn>${parts.join('')}</StsRsnInf>`;
};

const countsXml = (counts: StatusCounts): string =>
  transactionStatuses
    .filter((status) => counts[status] > 0)
    .map((status) => {
      const count = element('DtldNbOfTxs', String(counts[status]));
      return `<NbOfTxsPerSts>${count}${element('DtldSts', status)}</NbOfTxsPerSts>`;
    })
    .join('');

/** The status of a group, with its counts by status. A refused file has no counts. */
const groupStatusXml = (name: string, counts: StatusCounts, refusal: Reason | undefined): string =>
  refusal === undefined ? element(name, groupStatus(counts)) + countsXml(counts) : element(name, 'RJCT');

const transactionXml = (
  [instructionId, endToEndId, uetr]: Exclude<Instruction, readonly [string]>,
  { status, reason }: ReportedStatus,
): string =>
  `<TxInfAndSts>${optional('OrgnlInstrId', instructionId)}${optional('OrgnlEndToEndId', endToEndId)}${optional(
    'OrgnlUETR',
    uetr,
  )}${element('TxSts', status)}${reason === undefined ? '' : reasonXml(reason)}</TxInfAndSts>\n`;

/**
 * The number of rows before each payment. A payment's status is written before its transactions, so their range must be
 * known first.
 */
const rowsBefore = async (instructions: Instructions): Promise<readonly number[]> => {
  const before: number[] = [];
  let rows = 0;
  for await (const block of instructions())
    for (const instruction of block) {
      if (isPayment(instruction)) before.push(rows);
      else rows++;
    }
  return before;
};

const groupXml = ({ initiation, statuses, refusal }: StatusReport): string => {
  const { message, messageId, createdAt, count, sum } = initiation;
  return [
    '<OrgnlGrpInfAndSts>',
    element('OrgnlMsgId', messageId === '' ? notProvided : messageId),
    element('OrgnlMsgNmId', message),
    optional('OrgnlCreDtTm', createdAt.trim()),
    optional('OrgnlNbOfTxs', count),
    optional('OrgnlCtrlSum', sum.trim()),
    groupStatusXml('GrpSts', statuses.counts(), refusal),
    refusal === undefined ? '' : reasonXml(refusal),
    '</OrgnlGrpInfAndSts>\n',
  ].join('');
};

async function* paymentsXml({ instructions, statuses, refusal }: StatusReport): AsyncGenerator<string> {
  const before = await rowsBefore(instructions);
  const endPayment = '</OrgnlPmtInfAndSts>\n';
  let payment = 0;
  let row = 0;
  const beginPayment = (paymentId: string): string => {
    const counts = statuses.counts(row + 1, before[payment + 1]);
    const end = payment === 0 ? '' : endPayment;
    payment++;
    const id = element('OrgnlPmtInfId', paymentId === '' ? notProvided : paymentId);
    return `${end}<OrgnlPmtInfAndSts>${id}${groupStatusXml('PmtInfSts', counts, refusal)}\n`;
  };
  const written = (instruction: Instruction): string => {
    if (isPayment(instruction)) return beginPayment(instruction[0]);
    row++;
    const status = statuses.get(row);
    return refusal === undefined || status.reason !== undefined ? transactionXml(instruction, status) : '';
  };
  for await (const block of instructions()) yield block.map(written).join('');
  if (payment > 0) yield endPayment;
  if (refusal === undefined && row !== statuses.rows)
    throw new InvariantBroken(`instructions.jsonl has ${row} transactions, the file ${statuses.rows} rows`);
}

/** Writes a pain.002 (customer payment status report) piece by piece. It is valid by the published schema. */
export async function* writePain002(report: StatusReport): AsyncGenerator<string> {
  const name = answers[report.initiation.message];
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${name}"><CstmrPmtStsRpt>\n`;
  yield `<GrpHdr>${element('MsgId', report.messageId)}${element('CreDtTm', report.createdAt)}</GrpHdr>\n`;
  yield groupXml(report);
  yield* paymentsXml(report);
  yield '</CstmrPmtStsRpt></Document>\n';
}
