import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCertificate } from '../../../infra/local/aws/certificate.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'certificate-'));
});
afterAll(() => rm(folder, { recursive: true }));

const made = async () => {
  const { certFile, keyFile } = await makeCertificate(folder);
  return { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
};

const answerOf = (port: number, ca: readonly string[]): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = https.get({ host: '127.0.0.1', port, ca: [...ca], agent: false, timeout: 60_000 }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('timeout')));
  });

it('is trusted in addition to the certificate of an earlier run that the terminal still exports', async () => {
  const earlier = await made();
  const now = await made();
  const server = https.createServer(now, (_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  try {
    expect(await answerOf(port, [earlier.cert, now.cert])).toBe(200);
    await expect(answerOf(port, [earlier.cert])).rejects.toThrow('self-signed certificate');
  } finally {
    server.close();
  }
});
