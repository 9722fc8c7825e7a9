import { describe, expect, it } from 'vitest';
import { refuseRealAccount } from '../../../../infra/verify/verify-stage.ts';

describe('a stage that is deployed', () => {
  it('pays nothing when the stack of the payment service does not exist', () => {
    expect(() => refuseRealAccount({ PaymentService: {} })).toThrow('so nothing was paid');
  });

  it('pays when it does', () => {
    expect(() => refuseRealAccount({ PaymentService: { PaymentServiceUrl: 'https://sandbox.example' } })).not.toThrow();
  });
});
