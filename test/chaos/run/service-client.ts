import { setTimeout as wait } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { DeployedAws } from '../../../infra/local/aws/deployed-aws.ts';
import { paymentServiceAccess } from '../../../infra/local/aws/payment-service.ts';

/** A fault that the payment service injects, see functions/payment-service/domain/sandbox/FAULTS.md. */
export interface ServiceFault {
  /** `POST /v2/disbursement/fiat`, or `*` for all. */
  readonly endpoint: string;
  readonly fault: string;
  readonly probability: number;
  readonly seconds?: number;
}

/** Actions of the payment service's merchant, and of someone who forges webhooks. */
export interface ServiceClient {
  readonly setFaults: (faults: readonly ServiceFault[]) => Promise<void>;
  /** Number of injected faults so far, by name. */
  readonly countFaults: () => Promise<ReadonlyMap<string, number>>;
  /** Sets a disbursement's status as the sandbox permits. True when it was accepted. */
  readonly setStatus: (disbursementId: string, status: string) => Promise<boolean>;
  /** Posts a body to the orchestrator's webhook address. Returns the HTTP status. */
  readonly postWebhook: (body: unknown) => Promise<number>;
}

const shownFaults = z.object({ data: z.object({ injected: z.record(z.string(), z.number()) }) });

const webhookSecret = z.object({ token: z.string() });

/** Attempts of a request that one of our own faults may hit. */
const tries = 20;

export const serviceClient = async (
  deployed: DeployedAws,
  directly: (url: string) => string,
): Promise<ServiceClient> => {
  const { PAYMENT_SERVICE_URL: serviceUrl = '', PAYMENT_SERVICE_API_KEY: apiKey } = await paymentServiceAccess(
    deployed.outputs,
  );
  const { ApiUrl, WebhookSecretName } = deployed.outputs.PayoutOrchestrator;
  const secret = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId: WebhookSecretName }));
  const { token } = webhookSecret.parse(JSON.parse(secret.SecretString ?? '{}'));

  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${directly(serviceUrl)}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });

  const sendUntilDone = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    let lastAnswer = '';
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const response = await send(method, path, body).catch((error: unknown) => String(error));
      if (typeof response !== 'string' && response.ok) return response.json();
      lastAnswer = typeof response === 'string' ? response : `${response.status}: ${await response.text()}`;
      await wait(500);
    }
    throw new Error(`${method} ${path} of the payment service: ${lastAnswer}`);
  };

  return {
    setFaults: async (faults) => {
      await sendUntilDone('PUT', '/sandbox/faults', { faults });
    },
    countFaults: async () => {
      const { injected } = shownFaults.parse(await sendUntilDone('GET', '/sandbox/faults')).data;
      return new Map(Object.entries(injected));
    },
    setStatus: async (disbursementId, status) => {
      const response = await send('PATCH', `/v1/disbursement/${disbursementId}`, { status });
      return response.ok;
    },
    postWebhook: async (body) => {
      const response = await fetch(`${directly(ApiUrl)}/webhooks/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      await response.text();
      return response.status;
    },
  };
};
