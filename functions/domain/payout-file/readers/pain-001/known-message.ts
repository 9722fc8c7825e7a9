import { refuseFile } from '../../fields.ts';
import type { MessageName } from './schema.ts';
import { messageNames } from './schema.ts';

const prefix = 'urn:iso:std:iso:20022:tech:xsd:';

/** Other messages that clerks may have, by the beginning of their names. */
const others: readonly (readonly [begins: string, is: string])[] = [
  ['pain.001.', 'another version of the credit transfer'],
  ['pain.002.', 'a status report'],
  ['pain.008.', 'a direct debit, which collects money and pays nobody'],
  ['pacs.', 'a message between banks'],
  ['camt.', 'a statement or a notice of an account'],
];

const wanted = `Export it as ${messageNames.join(' or ')}`;

/** Identifies the message by its root element. Throws FileRefused when it is not supported. */
export const knownMessage = (root: string, namespace: string): MessageName => {
  const refuse = (message: string) => refuseFile('xml_not_pain_001', message);
  if (root.toLowerCase() === 'html') throw refuse('This is a web page, saved in place of a payout file.');
  if (root !== 'Document' || !namespace.startsWith(prefix))
    throw refuse(
      `This XML is not an ISO 20022 payment file. ${wanted}: Document with the namespace ${prefix}${messageNames[1]}.`,
    );
  const name = namespace.slice(prefix.length);
  const known = messageNames.find((each) => each === name);
  if (known !== undefined) return known;
  const [, is = 'another message'] = others.find(([begins]) => name.startsWith(begins)) ?? [];
  const shown = /^[a-z0-9.]{1,35}$/.test(name) ? name : 'of another name';
  throw refuse(`This file is ${shown}: ${is}. ${wanted}.`);
};
