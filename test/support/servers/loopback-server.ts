import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

export interface LoopbackServer {
  /** `http://127.0.0.1:` and a free port. */
  readonly url: string;
  /** Also ends open connections. */
  close(): Promise<void>;
}

/** An HTTP server that is reachable only from this machine. */
export const serveOnLoopback = async (listener: RequestListener): Promise<LoopbackServer> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
};
