import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { z } from 'zod';
import { jsonIn } from './json-in.ts';
import { PlainError } from './plain-error.ts';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface OperatorClientOptions {
  /** The API's address, without a slash at the end. */
  readonly apiUrl: string;
  readonly region: string;
  /** The AWS service that requests are signed for: by default the one behind deployed APIs. */
  readonly service?: 'execute-api' | 'apigateway';
  /** Keys, or a function that returns fresh ones before they expire. */
  readonly credentials: Credentials | (() => Promise<Credentials>);
}

export interface OperatorRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the API's address, with its query: `/batches?limit=10`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperatorAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The body, not decoded. */
  readonly bytes: Buffer;
}

/** The query in the signer's form: each name with all its values. */
const queryOf = ({ searchParams }: URL): Record<string, string[]> =>
  Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));

/** Calls the operator API, signs each request (SigV4), and counts them. */
export class OperatorClient {
  readonly #apiUrl: string;
  readonly #signer: SignatureV4;
  requests = 0;

  constructor({ apiUrl, region, service = 'execute-api', credentials }: OperatorClientOptions) {
    this.#apiUrl = apiUrl;
    // Like `curl --aws-sigv4`: the body's hash is signed, but not sent as a header.
    const sha256 = Hash.bind(null, 'sha256');
    this.#signer = new SignatureV4({ region, service, credentials, sha256, applyChecksum: false });
  }

  /** Sends one request and returns the response, whatever its status. */
  async send({ method, path, body, headers }: OperatorRequest): Promise<OperatorAnswer> {
    const url = new URL(`${this.#apiUrl}${path}`);
    const text = body === undefined ? '' : JSON.stringify(body);
    this.requests += 1;
    const signed = await this.#signer.sign({
      ...{ method, protocol: url.protocol, hostname: url.hostname, path: url.pathname, query: queryOf(url) },
      headers: { host: url.host },
      body: text,
    });
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...signed.headers,
      },
      ...(body === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(30_000),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const received = bytes.toString('utf8');
    return { status: response.status, headers: response.headers, body: jsonIn(received) ?? received, bytes };
  }

  /**
   * Sends one request and parses its response by the schema.
   *
   * @throws PlainError for a status of 300 or more
   */
  async ask<Answer>(request: OperatorRequest, schema: z.ZodType<Answer>): Promise<Answer> {
    const { status, body } = await this.send(request);
    if (status < 300) return schema.parse(body);
    throw new PlainError(`${request.method} ${request.path} returned ${status}: ${JSON.stringify(body)}`);
  }
}
