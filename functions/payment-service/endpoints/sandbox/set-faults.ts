import * as z from 'zod';
import { Refused } from '../../domain/refused.ts';
import { complaintAbout, endpointKey, faults } from '../../domain/sandbox/faults.ts';
import { bodyEndpoint } from '../../http/endpoint.ts';
import { anyText, oneOf } from '../../http/request-fields.ts';
import { enveloped } from '../../http/success.ts';
import { wireAmount, wireInteger } from '../../http/wire-json.ts';
import { replaceFaults } from '../../store/sandbox/sandbox-state.ts';
import { faultsRecord, faultsSchema } from './faults-record.ts';

/** Every request reads the rules. Fifty are a few kilobytes. */
const mostRules = 50;

const body = z.object({
  faults: z
    .array(
      z.object({
        /** `POST /v2/disbursement/fiat`, `disbursement.updated`, or `*` for all. */
        endpoint: anyText,
        fault: oneOf(faults),
        /** Above 0, at most 1. Either this or `next`. */
        probability: wireAmount.meta({ maximum: 1 }).optional(),
        /** How many requests or webhooks the fault strikes. */
        next: wireInteger(1, 100_000).optional(),
        seconds: wireInteger(0, 3600).optional(),
      }),
      { error: 'must be a list' },
    )
    .max(mostRules, `at most ${mostRules} faults can be set`),
});

const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ security: z.array(z.unknown()).default([]) }))),
});

/** The keys of the endpoints that require credentials, except the sandbox controls. */
const faultyEndpoints = async (): Promise<readonly string[]> => {
  const { default: written } = await import('../../openapi.json', { with: { type: 'json' } });
  return Object.entries(document.parse(written).paths)
    .filter(([path]) => !path.startsWith('/sandbox'))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { security }]) => security.length > 0)
        .map(([method]) => endpointKey(`${method.toUpperCase()} ${path}`)),
    );
};

/** PUT /sandbox/faults: replaces all faults of the sandbox. */
export const setFaults = bodyEndpoint({
  route: 'PUT /sandbox/faults',
  access: 'authorization',
  summary: 'Set the faults that strike on purpose',
  answers: enveloped('Faults set', faultsSchema),
  body,
  work: async (context, { account }, request) => {
    const endpoints = await faultyEndpoints();
    const rules = request.faults.map(({ next, ...rule }) => ({ ...rule, left: next, injected: 0 }));
    for (const [index, rule] of rules.entries()) {
      const complaint = complaintAbout(rule, endpoints);
      if (complaint !== undefined) return new Refused(`faults[${index}]: ${complaint}`);
    }
    return faultsRecord(await replaceFaults(context.table, account.clientId, rules));
  },
});
