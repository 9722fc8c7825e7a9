import { Agent, request } from 'node:https';

export interface RawRequest {
  readonly method: string;
  /** The request target, sent unchanged. `fetch` would normalize it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends one request to an origin, byte for byte. */
export const sendRaw = (origin: URL, { method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const made = request({
      agent,
      host: origin.hostname,
      port: origin.port,
      method,
      path,
      headers: { host: origin.host, ...headers, ...(body === undefined ? {} : { 'content-length': `${body.length}` }) },
    });
    made.on('error', reject);
    made.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          header: (name) => response.headers[name]?.toString(),
          body: Buffer.concat(chunks),
        }),
      );
    });
    made.end(body);
  });
