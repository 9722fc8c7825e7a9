import { generateKeyPairSync, sign } from 'node:crypto';

/** One DER element: tag, length, content. */
const der = (tag: number, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  const length =
    content.length < 128 ? [content.length] : [0x82, Math.floor(content.length / 256), content.length % 256];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...contents: Uint8Array[]): Buffer => der(0x30, ...contents);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content);
const time = (text: string): Buffer => der(0x17, Buffer.from(text));

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const name = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('loopback')))));

/** A self-signed certificate for 127.0.0.1 (RFC 5280), new each time, so that no key is stored. */
export const selfSignedCertificate = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alternativeNames = sequence(der(0x87, Buffer.from([127, 0, 0, 1])));
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(objectId('551d11'), der(0x04, alternativeNames)))),
  );
  const signed = sequence(certificate, ecdsaWithSha256, bits(sign('sha256', certificate, privateKey)));
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
};
