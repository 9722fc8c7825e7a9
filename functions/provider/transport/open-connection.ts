import type { Socket } from 'node:net';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { given } from '../../domain/given.ts';

/** A socket ready for its first byte, or the reason why there is none. */
type Connection =
  | { readonly kind: 'open'; readonly socket: Socket }
  | { readonly kind: 'not_open'; readonly cause: string };

const causesByCode: Readonly<Record<string, string>> = {
  ENOTFOUND: 'dns_failure',
  EAI_AGAIN: 'dns_failure',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_refused',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
  ETIMEDOUT: 'connect_timeout',
};

const causeOf = (error: Error): string => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    causesByCode[code] ?? (/CERT|TLS|SSL|EPROTO|SIGNATURE|ISSUER/.test(code) ? 'tls_failure' : 'connection_failed')
  );
};

const dial = (url: URL): Socket => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'http:') return connectPlain({ host, port: Number(url.port || '80') });
  return connectSecure({
    host,
    port: Number(url.port || '443'),
    // Node allows an environment variable to turn verification off. That must not happen where money moves.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...given({ servername: isIP(host) === 0 ? host : undefined }),
  });
};

/**
 * Opens a connection for one request: TCP, and for https the finished and verified TLS handshake.
 *
 * The request is written only after `open`. So `not_open` proves that no byte of the request reached the service, and a claim may
 * be returned. Trusts the CAs that the process trusts, including NODE_EXTRA_CA_CERTS.
 */
export const openConnection = (url: URL, deadline: AbortSignal): Promise<Connection> =>
  new Promise((resolve) => {
    const socket = dial(url);
    const fail = (cause: string): void => {
      resolve({ kind: 'not_open', cause });
      socket.destroy();
    };
    const onDeadline = (): void => fail('connect_timeout');
    deadline.addEventListener('abort', onDeadline, { once: true });
    if (deadline.aborted) onDeadline();
    // Stays for the socket's life: an error between this answer and the request must not end the process.
    socket.on('error', (error: Error) => fail(causeOf(error)));
    socket.once('close', () => fail('connection_failed'));
    socket.once(url.protocol === 'http:' ? 'connect' : 'secureConnect', () => {
      deadline.removeEventListener('abort', onDeadline);
      resolve({ kind: 'open', socket });
    });
  });
