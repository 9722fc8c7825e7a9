import { templateCsv } from '../../domain/payout-file/template/template-csv.ts';
import { log } from '../../runtime.ts';
import { endpoint } from '../endpoint.ts';
import { fileAnswer } from '../http/answer.ts';
import * as operations from '../schemas/operations/template-operations.ts';

/** A CSV template to fill in. */
export const getTemplateCsv = async () => fileAnswer(templateCsv(), operations.getTemplateCsv.answer.file);

export const handler = endpoint(log, operations.getTemplateCsv, getTemplateCsv);
