import { GetParameterError, TransformParameterError } from '@aws-lambda-powertools/parameters/errors';
import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLastingSecrets } from '../../../functions/workflow/lasting-secrets.ts';

const minute = 60_000;

const answered = (name: string, $fault: 'client' | 'server') =>
  new SecretsManagerServiceException({ name, $fault, $metadata: {} });
const failing = (cause: unknown) => new GetParameterError('failed', { cause });

const timedOut = failing(Object.assign(new Error('no answer'), { name: 'TimeoutError' }));

let now = 0;
let reads = 0;
let next: () => unknown = () => undefined;
const logged: string[] = [];
let secret: (name: string) => Promise<unknown>;

/** Reads at this minute, while Secrets Manager answers or fails like this. */
const readAt = (minutes: number, answer: unknown): Promise<unknown> => {
  now = minutes * minute;
  next = () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return secret('signing');
};

beforeEach(() => {
  reads = 0;
  logged.length = 0;
  const get = async (): Promise<never> => {
    reads += 1;
    return next() as never;
  };
  secret = createLastingSecrets({ secrets: { get }, clock: () => now, log: { warn: (code) => logged.push(code) } });
});

describe('a secret', () => {
  it('is read again every five minutes', async () => {
    expect(await readAt(0, 'first')).toBe('first');
    expect(await readAt(4.99, 'second')).toBe('first');
    expect(await readAt(5, 'second')).toBe('second');
    expect(reads).toBe(2);
  });

  it.each([
    ['gives no answer', timedOut],
    ['fails', failing(answered('InternalServiceError', 'server'))],
    ['throttles', failing(answered('ThrottlingException', 'client'))],
  ])('serves for an hour while Secrets Manager %s', async (_case, error) => {
    await readAt(0, 'known');
    expect(await readAt(5, error)).toBe('known');
    expect(await readAt(59.9, error)).toBe('known');
    await expect(readAt(61, error)).rejects.toBe(error);
    expect(logged).toEqual(['secret.not_read_again', 'secret.not_read_again']);
  });

  it('is not asked for by every request of an outage, and is read soon after it', async () => {
    await readAt(0, 'known');
    await readAt(5, timedOut);
    await readAt(5.4, timedOut);
    expect(reads).toBe(2);
    expect(await readAt(5.5, 'rotated')).toBe('rotated');
  });

  it.each([
    ['was deleted', failing(answered('ResourceNotFoundException', 'client'))],
    ['may not be read anymore', failing(answered('AccessDeniedException', 'client'))],
    ['has no value', new GetParameterError('no value')],
    ['is not JSON', new TransformParameterError('json', 'unexpected token')],
  ])('serves no longer when it %s', async (_case, error) => {
    await readAt(0, 'known');
    await expect(readAt(5, error)).rejects.toBe(error);
  });

  it('cannot serve when it was never read', async () => {
    await expect(readAt(0, timedOut)).rejects.toBe(timedOut);
  });
});
