import { randomInt } from 'node:crypto';
import net from 'node:net';

const givenPorts = new Set<number>();

/**
 * Finds a port that nothing listens on and that this process has not been given yet. It is below the ports that Linux, macOS and
 * Windows give to outgoing connections by default. One of those could take it before it is used.
 */
export const freePort = async (): Promise<number> => {
  const port = randomInt(20_000, 30_000);
  if (givenPorts.has(port) || !(await canListen(port))) return freePort();
  givenPorts.add(port);
  return port;
};

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
