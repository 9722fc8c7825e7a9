import * as z from 'zod';
import { get } from '../parameters.ts';
import type { Operation } from './operation.ts';

const bytes = z.string().meta({ format: 'binary' });

export const getTemplateCsv = {
  ...get,
  id: 'getTemplateCsv',
  path: '/template.csv',
  summary: 'Download a CSV to fill in',
  description: 'Has the columns but no rows. Unchanged, it is refused and pays nothing.',
  answer: {
    status: 200,
    description: 'The file, in UTF-8 with a byte order mark.',
    schema: bytes,
    file: { contentType: 'text/csv; charset=utf-8', name: 'payouts.csv' },
  },
} as const satisfies Operation;

export const getTemplateWorkbook = {
  ...get,
  id: 'getTemplateWorkbook',
  path: '/template.xlsx',
  summary: 'Download an Excel workbook to fill in',
  description:
    'Has the columns, formatted as text, and a sheet that explains them. Unchanged, it is refused and pays nothing.',
  answer: {
    status: 200,
    description: 'The workbook.',
    schema: bytes,
    file: {
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      name: 'payouts.xlsx',
    },
  },
} as const satisfies Operation;
