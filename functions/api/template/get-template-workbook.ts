import { templateWorkbook } from '../../domain/payout-file/template/template-workbook.ts';
import { log } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import { fileAnswer } from '../http/answer.ts';
import * as operations from '../schemas/operations/template-operations.ts';

/** An Excel template to fill in. */
export const getTemplateWorkbook = async () =>
  fileAnswer(templateWorkbook(), operations.getTemplateWorkbook.answer.file);

export const handler = endpoint(log, operations.getTemplateWorkbook, getTemplateWorkbook);
