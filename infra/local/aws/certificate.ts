import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';

/** Longer than anyone keeps a local AWS up. */
const validDays = 30;

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Paths of the certificate and key of a local AWS in this folder. */
export const certificateIn = (folder: string): Certificate => ({
  certFile: path.join(folder, 'certificate.pem'),
  keyFile: path.join(folder, 'certificate-key.pem'),
});

/**
 * Makes the TLS certificate of the local AWS; its callers trust this file. The emulator could make one itself, but only with the
 * openssl program, which not every machine has.
 */
export const makeCertificate = async (folder: string): Promise<Certificate> => {
  const notBeforeDate = new Date(Date.now() - 3_600_000);
  // A unique name. OpenSSL tries only the first trusted certificate of a name, perhaps an old one that a terminal still exports.
  const { cert, private: key } = await generate([{ name: 'commonName', value: `Local AWS ${randomUUID()}` }], {
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate: new Date(Date.now() + validDays * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  const { certFile, keyFile } = certificateIn(folder);
  await writeFile(certFile, cert, { mode: 0o600 });
  await writeFile(keyFile, key, { mode: 0o600 });
  return { certFile, keyFile };
};
