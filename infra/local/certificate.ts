import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generate } from 'selfsigned';

/** Days: longer than a local AWS is kept up, shorter than a certificate should lie about. */
const validDays = 30;

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Where a local AWS in this folder has its certificate. */
export const certificateIn = (folder: string): Certificate => ({
  certFile: path.join(folder, 'certificate.pem'),
  keyFile: path.join(folder, 'certificate-key.pem'),
});

/**
 * Makes the certificate that the local AWS answers with, and that whoever calls it is told to trust. The emulator can
 * make one itself, but needs the openssl program for it, which not every machine has.
 */
export const makeCertificate = async (folder: string): Promise<Certificate> => {
  const notBeforeDate = new Date(Date.now() - 3_600_000);
  // A name of its own: of two certificates of one name, OpenSSL tries the first it trusts, such as the one that a terminal exported before.
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
