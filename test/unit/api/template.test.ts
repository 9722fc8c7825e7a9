import { describe, expect, it } from 'vitest';
import { endpoint } from '../../../functions/api/endpoint.ts';
import {
  getTemplateCsv as csv,
  getTemplateWorkbook as workbook,
} from '../../../functions/api/schemas/operations/template-operations.ts';
import { getTemplateCsv } from '../../../functions/api/template/get-template-csv.ts';
import { getTemplateWorkbook } from '../../../functions/api/template/get-template-workbook.ts';
import { templateCsv } from '../../../functions/domain/payout-file/template/template-csv.ts';
import { templateWorkbook } from '../../../functions/domain/payout-file/template/template-workbook.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { silentLog } from '../../support/silent-log.ts';

const event = { requestContext: { requestId: 'request-1' } };

describe('a template', () => {
  it.each([
    ['payouts.csv', 'text/csv; charset=utf-8', endpoint(silentLog, csv, getTemplateCsv), templateCsv()],
    [
      'payouts.xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      endpoint(silentLog, workbook, getTemplateWorkbook),
      templateWorkbook(),
    ],
  ])('is returned unchanged, to be saved as %s', async (name, contentType, handler, bytes) => {
    const { statusCode, headers, body, isBase64Encoded } = await handler(event, lambdaContext);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': contentType,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'x-request-id': 'request-1',
    });
    expect(isBase64Encoded).toBe(true);
    expect(Buffer.from(body, 'base64')).toEqual(bytes);
  });
});
