import { PlainError } from '../plain-error.ts';

/**
 * The port of the demo, of `npm run local` and of `npm run verify:aws -- --local`: LOCAL_AWS_PORT, or 4566.
 *
 * @throws PlainError when LOCAL_AWS_PORT is no port from 1024 to 65535
 */
export const localPort = (): number => {
  const given = process.env['LOCAL_AWS_PORT'] ?? '4566';
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (port < 1024 || port > 65_535) {
    throw new PlainError(`LOCAL_AWS_PORT is "${given}". It must be a port number from 1024 to 65535.`);
  }
  return port;
};
