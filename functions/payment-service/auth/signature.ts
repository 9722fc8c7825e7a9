import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that does not reveal how much of the text was right. */
export const isSameSecret = (given: string, wanted: string): boolean => {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(wanted));
};

interface SignedParts {
  /** Epoch milliseconds or nanoseconds, as written in X-Timestamp. */
  readonly timestamp: string;
  readonly method: string;
  /** Path and query, relative to the base address: `/v1/disbursement/fiat?limit=100&page=1`. */
  readonly pathWithQuery: string;
  readonly body: Uint8Array;
}

/**
 * X-Signature: hex HMAC-SHA256, keyed by the client secret, over `timestamp.METHOD.path?query.bodyHash`. The body hash
 * is the hex SHA-256 of the body. Without a body the hash may be left out, and the signed text then ends in the dot. So
 * an empty body has two valid signatures.
 */
export const signaturesOf = (clientSecret: string, parts: SignedParts): readonly string[] => {
  const bodyHash = hash('sha256', parts.body);
  return (parts.body.length === 0 ? [bodyHash, ''] : [bodyHash]).map((signed) =>
    createHmac('sha256', clientSecret)
      .update(`${parts.timestamp}.${parts.method}.${parts.pathWithQuery}.${signed}`)
      .digest('hex'),
  );
};

type Query = readonly (readonly [name: string, value: string])[];

const percentEncoded = (query: Query): string =>
  query.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&');

/** Marks that may stand unencoded in a query (RFC 3986) and separate nothing there. */
const plainMarks = /%(?:24|2C|2F|3A|3B|3F|40)/g;

/** As an address is usually typed: `startDate=2026-01-01T00:00:00Z`. */
const sparselyEncoded = (query: Query): string => percentEncoded(query).replaceAll(plainMarks, decodeURIComponent);

const formEncoded = (query: Query): string =>
  new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();

const byName = (query: Query): Query => query.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

const encodedPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');

/**
 * The ways in which the caller may have written path and query. A gateway can decode the path. It does decode the
 * query, and promises no order. So the signed text is rebuilt: the path as received and percent-encoded; the query in
 * received order and sorted by name, each in the usual encodings. An empty query leaves a question mark or nothing. A
 * caller who sorts parameters by name always matches.
 */
export const writingsOf = (path: string, query: Query): readonly string[] => {
  const paths = [path, encodedPath(path)];
  const encodings = [formEncoded, percentEncoded, sparselyEncoded];
  const queries = [query, byName(query)].flatMap((ordered) => encodings.map((encode) => `?${encode(ordered)}`));
  const endings = query.length === 0 ? ['', '?'] : queries;
  return [...new Set(paths.flatMap((one) => endings.map((ending) => one + ending)))];
};
