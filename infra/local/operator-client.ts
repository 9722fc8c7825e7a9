import { createHash, createHmac } from 'node:crypto';
import type { z } from 'zod';
import { PlainError } from './plain-error.ts';

export interface OperatorClientOptions {
  /** The API's address without a slash at the end. */
  readonly apiUrl: string;
  readonly region: string;
  /** The service that requests are signed for; by default the one that answers for deployed APIs. */
  readonly service?: 'execute-api' | 'apigateway';
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

export interface OperatorRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the API's address, query included: `/batches?limit=10`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperatorAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The body as it came. */
  readonly bytes: Buffer;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** RFC 3986: what encodeURIComponent leaves, AWS wants encoded too. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** The headers of AWS Signature Version 4 for API Gateway, as `curl --aws-sigv4` makes them. */
function signedHeaders(url: URL, method: string, body: string, now: Date, options: OperatorClientOptions) {
  const { accessKeyId, secretAccessKey, sessionToken } = options.credentials;
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${options.region}/${options.service ?? 'execute-api'}/aws4_request`;
  const headers = {
    host: url.host,
    'x-amz-date': time,
    ...(sessionToken ? { 'x-amz-security-token': sessionToken } : {}),
  };
  const names = Object.keys(headers).join(';');
  const canonical = [
    method,
    // A path is encoded once more when it is signed, as all services but S3 have it.
    url.pathname.split('/').map(encoded).join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const { host: _, ...sent } = headers;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** A caller of the operator API, signing each request. Counts the requests it made. */
export class OperatorClient {
  readonly #options: OperatorClientOptions;
  requests = 0;

  constructor(options: OperatorClientOptions) {
    this.#options = options;
  }

  /** Sends one request and answers whatever came back. */
  async send({ method, path, body, headers }: OperatorRequest): Promise<OperatorAnswer> {
    const url = new URL(`${this.#options.apiUrl}${path}`);
    const text = body === undefined ? '' : JSON.stringify(body);
    this.requests += 1;
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...signedHeaders(url, method, text, new Date(), this.#options),
      },
      ...(body === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(30_000),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body: parsed(bytes.toString('utf8')), bytes };
  }

  /** Sends one request that has to succeed, and reads its answer by the schema. */
  async ask<Answer>(request: OperatorRequest, schema: z.ZodType<Answer>): Promise<Answer> {
    const { status, body } = await this.send(request);
    if (status < 300) return schema.parse(body);
    throw new PlainError(`${request.method} ${request.path} was answered with ${status}: ${JSON.stringify(body)}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
