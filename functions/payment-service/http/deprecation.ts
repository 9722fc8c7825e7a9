interface Deprecation {
  /** The endpoint is gone from this moment on. Undefined when the public document names no date. */
  readonly removedAt?: Date;
  /** The endpoint to call instead. Undefined when the public document names none. */
  readonly replacement?: string;
}

/** The public document says what is deprecated, but not since when. One date was chosen for all of it. */
const deprecatedAt = new Date('2026-01-01T00:00:00Z');
const depositsRemovedAt = new Date('2026-10-13T00:00:00Z');

/** Every deprecated endpoint of the public document, by its route. */
const deprecations: ReadonlyMap<string, Deprecation> = new Map([
  ['GET /v1/reference/currencies', {}],
  ['GET /v1/reference/cryptos', {}],
  ['POST /v1/disbursement/fiat', { replacement: 'POST /v2/disbursement/fiat' }],
  ['GET /v1/deposit', { removedAt: depositsRemovedAt, replacement: 'GET /v1/deposit/fiat and GET /v1/deposit/crypto' }],
  [
    'GET /v1/deposit/:depositIdOrReference',
    {
      removedAt: depositsRemovedAt,
      replacement: 'GET /v1/deposit/fiat/:depositIdOrReference and GET /v1/deposit/crypto/:depositIdOrReference',
    },
  ],
]);

/** Undefined when the endpoint is not deprecated. */
export const deprecationOf = (route: string): Deprecation | undefined => deprecations.get(route);

/** `GET /v1/deposit was removed on 2026-10-13, use …`. Undefined until then. */
export const removalMessage = (route: string, { removedAt, replacement }: Deprecation, now: Date) => {
  if (removedAt === undefined || now.getTime() < removedAt.getTime()) return undefined;
  const instead = replacement === undefined ? '' : `, use ${replacement}`;
  return `${route} was removed on ${removedAt.toISOString().slice(0, 10)}${instead}`;
};

/**
 * `Deprecation` (RFC 9745: `@` and Unix seconds) and, if a removal date is known, `Sunset` (RFC 8594: an HTTP date).
 */
export const deprecationHeaders = ({ removedAt }: Deprecation) => ({
  deprecation: `@${deprecatedAt.getTime() / 1000}`,
  ...(removedAt && { sunset: removedAt.toUTCString() }),
});
