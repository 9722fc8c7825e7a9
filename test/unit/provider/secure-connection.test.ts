import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { enveloped, providerOf } from './loopback-service.ts';
import { selfSignedCertificate } from './self-signed-certificate.ts';

const trustedBefore = getCACertificates('default');
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  setDefaultCACertificates(trustedBefore);
  for (const close of closing.splice(0)) await close();
});

const start = async () => {
  const certificate = selfSignedCertificate();
  const requests: string[] = [];
  const server = createServer(certificate, (request, response) => {
    requests.push(request.url ?? '');
    response.end(enveloped('{"disburseData":[]}'));
  });
  // Node reports a handshake that the client aborted as an error of the server.
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { certificate, requests, port: address.port };
};

describe('a submission over TLS', () => {
  it('is not sent to an untrusted service, not even a byte', async () => {
    const { requests, port } = await start();
    const { provider } = providerOf(`https://127.0.0.1:${port}`);
    expect(await provider.submit('fiat', '{}')).toEqual({ kind: 'not_sent', cause: 'tls_failure' });
    expect(requests).toEqual([]);
  });

  it('is not sent to a service whose certificate is for another name', async () => {
    const { certificate, requests, port } = await start();
    setDefaultCACertificates([certificate.cert]);
    const { provider } = providerOf(`https://localhost:${port}`);
    expect(await provider.submit('fiat', '{}')).toEqual({ kind: 'not_sent', cause: 'tls_failure' });
    expect(requests).toEqual([]);
  });

  it('reaches a trusted service', async () => {
    const { certificate, requests, port } = await start();
    setDefaultCACertificates([certificate.cert]);
    const { provider } = providerOf(`https://127.0.0.1:${port}`);
    expect(await provider.submit('fiat', '{}')).toEqual({ kind: 'answered', disbursements: [] });
    expect(requests).toEqual(['/v2/disbursement/fiat']);
  });
});
