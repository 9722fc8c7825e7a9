import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { fileLink } from '../../../functions/api/schemas/file-links.ts';
import type { OperatorClient } from '../../../infra/local/operator-client.ts';
import type { PayoutResult } from '../truth/compare.ts';
import { sendUntilAnswered } from './send-until-answered.ts';

const resultLine = z.object({
  row: z.coerce.number(),
  reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  status: z.string(),
  reasonCode: z.string(),
  disbursementId: z.string(),
});

/** The results.csv of a batch, as the merchant downloads it. */
export const readResults = async (operator: OperatorClient, batchId: string): Promise<readonly PayoutResult[]> => {
  const request = { method: 'GET', path: `/batches/${batchId}/files/results.csv` } as const;
  const { url } = fileLink.parse((await sendUntilAnswered(operator, request)).body);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the results of ${batchId} were answered with ${response.status}`);
  const lines: unknown[] = parse(await response.text(), { columns: true, bom: true });
  return lines.map((line) => resultLine.parse(line));
};
