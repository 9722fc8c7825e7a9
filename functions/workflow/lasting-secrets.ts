import { GetParameterError } from '@aws-lambda-powertools/parameters/errors';
import type { SecretsProvider } from '@aws-lambda-powertools/parameters/secrets';
import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';
import { hourMs } from '../domain/durations.ts';
import type { Needs } from '../ports/needs.ts';

/** How long a secret serves without being read again. A rotated one takes effect within this time. */
const freshMs = 5 * 60_000;

/** Pause after an attempt in vain. Each may take 5 s (../aws-clients.ts), which not every request should wait for. */
const pauseMs = 30_000;

/** How long a secret serves that cannot be read again. */
const lastsMs = hourMs;

type LastingDependencies = Needs<{ log: 'warn' }, 'clock'> & { readonly secrets: Pick<SecretsProvider, 'get'> };

/** False when Secrets Manager refused: the secret is deleted, or the function may not read it anymore. */
const isUnanswered = (error: unknown): error is GetParameterError => {
  if (!(error instanceof GetParameterError) || error.cause === undefined) return false;
  const { cause } = error;
  const isAnswered = cause instanceof SecretsManagerServiceException && cause.$fault === 'client';
  return !isAnswered || cause.name === 'ThrottlingException';
};

/**
 * Reads secrets as JSON, each at most every five minutes. While Secrets Manager gives no answer, what was read last serves for up
 * to an hour: payouts and webhooks must not stop because a known secret cannot be read again.
 *
 * @throws GetParameterError when the secret was never read, was read too long ago, or is refused; TransformParameterError when it
 *   is not JSON
 */
export const createLastingSecrets = ({ secrets, clock, log }: LastingDependencies) => {
  const known = new Map<string, { readonly value: unknown; readonly readAt: number; readonly nextAt: number }>();
  return async (name: string): Promise<unknown> => {
    const last = known.get(name);
    if (last !== undefined && clock() < last.nextAt) return last.value;
    const now = clock();
    try {
      const value: unknown = await secrets.get(name, { forceFetch: true, transform: 'json' });
      known.set(name, { value, readAt: now, nextAt: now + freshMs });
      return value;
    } catch (error) {
      if (last === undefined || !isUnanswered(error) || now - last.readAt >= lastsMs) throw error;
      known.set(name, { ...last, nextAt: clock() + pauseMs });
      log.warn('secret.not_read_again', { name, error: error.cause instanceof Error ? error.cause.name : 'unknown' });
      return last.value;
    }
  };
};
