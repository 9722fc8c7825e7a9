import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { composed, readable, resourcesOf } from '../../support/synthesized.ts';

const environment = z.object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) });
const resources = resourcesOf(composed(), 'PaymentService');

describe('the function of deposits', () => {
  it('knows the API’s address without a circular dependency', () => {
    const made = resources.find(
      ({ Type, logicalId }) => Type === 'AWS::Lambda::Function' && /^Deposits[0-9A-F]{8}$/.test(logicalId),
    );
    const url = environment.parse(made?.Properties).Environment.Variables['PUBLIC_URL'];
    expect(readable(url)).toMatch(/^https:\/\/<ServiceApi\w*>\.execute-api\..+\/service$/);
  });
});
