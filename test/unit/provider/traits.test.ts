import { afterEach, describe, expect, it } from 'vitest';
import { providerTraits } from '../../../functions/provider/settings.ts';
import type { LoopbackService } from './loopback-service.ts';
import { answerText, enveloped, providerOf, startService } from './loopback-service.ts';
import { fiat, refusal } from './provider-records.ts';

let service: LoopbackService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const providerWith = async (traits: unknown, text: string, status = 200) => {
  service = await startService((_request, response) => answerText(response, text, status));
  return providerOf(service.baseUrl, { traits: providerTraits().parse(traits) }).provider;
};

describe('a provider with custom traits', () => {
  it('is signed in its own headers', async () => {
    const headers = { signature: 'Pay-Sig', timestamp: 'Pay-Time', clientId: 'Pay-Client' };
    const provider = await providerWith({ headers }, enveloped(fiat(',"reference":"r1"')));
    expect(await provider.lookUp('fiat', 'r1')).toMatchObject({ kind: 'found' });
    const sent = service?.seen[0]?.headers;
    expect(sent).toMatchObject({
      'pay-client': 'client-1',
      'pay-sig': expect.stringMatching(/^[0-9a-f]{64}$/),
      'pay-time': expect.stringMatching(/^\d+$/),
    });
    expect(sent).not.toHaveProperty('x-signature');
  });

  it.each([
    ['Token ', 'Token key-1'],
    ['', 'key-1'],
  ])('is paid with the key in its own header, after the prefix "%s"', async (authorizationPrefix, sent) => {
    const traits = { headers: { authorization: 'X-Api-Key' }, authorizationPrefix };
    const provider = await providerWith(traits, refusal(400, 'Payment method not found'), 400);
    expect(await provider.submit('fiat', '{}')).toMatchObject({ kind: 'rejected' });
    expect(service?.seen[0]?.headers).toMatchObject({ 'x-api-key': sent });
    expect(service?.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['Tidak ditemukan: pencairan r1', 'absent'],
    ['TIDAK DITEMUKAN: PENCAIRAN', 'absent'],
    ['Tidak ditemukan: nasabah', 'unknown'],
    ['Tidak ditemukan: pencairanmu', 'unknown'],
    ['Disbursement not found', 'unknown'],
  ])('has its own words for absence: "%s" is %s', async (message, kind) => {
    const provider = await providerWith({ words: { absent: ['tidak ditemukan*pencairan'] } }, refusal(404, message));
    expect(await provider.lookUp('fiat', 'r1')).toMatchObject({ kind });
  });

  it('has its own words for a low balance, and for a taken reference', async () => {
    const words = { balanceTooLow: ['saldo*kurang'], taken: ['sudah ada'] };
    const short = await providerWith({ words }, refusal(400, 'Saldo Anda kurang'), 400);
    expect(await short.submit('fiat', '{}')).toEqual({
      kind: 'rejected',
      message: 'Saldo Anda kurang',
      isBalanceTooLow: true,
    });
    await service?.close();
    const taken = await providerWith({ words }, refusal(400, 'Sudah ada'), 400);
    expect(await taken.submit('fiat', '{}')).toEqual({ kind: 'rejected', message: 'Sudah ada', isTaken: true });
  });

  it('may still use the common words for a taken reference', async () => {
    const provider = await providerWith({ words: { taken: ['sudah ada'] } }, refusal(400, 'Duplicate reference'), 400);
    expect(await provider.submit('fiat', '{}')).toMatchObject({ isTaken: true });
  });

  it.each([
    ['a header of two words', { headers: { signature: 'X Signature' } }],
    ['one header for two things', { headers: { signature: 'x-timestamp' } }],
    ['a prefix of two lines', { authorizationPrefix: 'Bearer\r\nX: ' }],
    ['no words for absence', { words: { absent: [] } }],
    ['words that every message has', { words: { absent: ['*'] } }],
    ['a misspelt trait', { word: {} }],
    ['crypto references that are unique', { rails: { crypto: { referenceUniqueHours: 24 } } }],
    ['proofs of crypto payouts', { rails: { crypto: { hasProofs: true } } }],
  ])('is refused with %s', (_, traits) => {
    expect(providerTraits().safeParse(traits).success).toBe(false);
  });
});
