import type { Clock } from '../../ports/environment.ts';
import { createPaymentServiceClient } from '../client/payment-service-client.ts';
import { refusesCredentials } from '../refusal.ts';
import { signingCredentials } from '../settings.ts';
import type { HttpOutcome } from '../transport/http.ts';
import { requestRead } from '../transport/http.ts';
import type { Http, TransportDependencies } from '../transport/transport.ts';
import { createTransport } from '../transport/transport.ts';
import type { PortQuestions } from './check-port.ts';
import { checkPort } from './check-port.ts';
import { adviceOn, describeAnswer, documentedProvider } from './documented-provider.ts';
import type { Finding, Judgment } from './finding.ts';
import { good, note, wrong } from './finding.ts';

export type CheckDependencies = Omit<TransportDependencies, 'http' | 'pace'> & PortQuestions;

/** Tolerance, in ms, of a signature's time and of the age at which a call is looked up. */
const toleratedSkewMs = 5000;

/** An HTTP client that only reads: every POST is answered `not_sent`. Collects the clock skew that each answer shows. */
export const createReader = (clock: Clock, asked: Pick<Http, 'requestRead'> = { requestRead }) => {
  const skews: number[] = [];
  const recordSkew = (outcome: HttpOutcome): HttpOutcome => {
    const at = outcome.kind === 'response' ? Date.parse(outcome.date ?? '') : Number.NaN;
    // The Date header has whole seconds. On average, half a second has passed.
    if (!Number.isNaN(at)) skews.push(at + 500 - clock());
    return outcome;
  };
  const http: Http = {
    requestOnce: async () => ({ kind: 'not_sent', cause: 'reads_only' }),
    requestRead: async (request, again) => recordSkew(await asked.requestRead(request, again)),
  };
  return { http, skews };
};

const judgeSkews = (skews: readonly number[]): Judgment => {
  const least = skews.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0];
  if (least === undefined) return note('answers carry no Date header');
  const summary = `${Math.abs(Math.round(least / 1000))} s ${least < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(least) <= toleratedSkewMs) return good(summary);
  return note(summary, 'Correct the clock that is wrong: signatures cover the time.');
};

/** Compares the provider's clock with ours, by the smallest skew that was observed. */
export const checkClock = (skews: readonly number[]): Finding => ({ what: 'clock', ...judgeSkews(skews) });

/** Checks that a signature with another secret is refused. The document does not show how a refusal looks. */
const checkSignature = async (dependencies: CheckDependencies, http: Http): Promise<Judgment> => {
  const credentials: TransportDependencies['credentials'] = async (convention) => {
    const { clientId } = signingCredentials().parse(await dependencies.credentials(convention));
    return { clientId, clientSecret: 'not the secret' };
  };
  const client = createPaymentServiceClient(createTransport({ ...dependencies, credentials, http }));
  const answer = await client.fiatDisbursements.find(dependencies.unusedReference);
  // An answer of 404 means that the provider accepted the signature.
  if (answer.kind === 'succeeded' || (answer.kind === 'refused' && answer.statusCode === 404))
    return note('is accepted', 'Report it to the provider: anyone who knows the client id can read.');
  if (refusesCredentials(answer)) return good(describeAnswer(answer));
  return wrong(describeAnswer(answer), adviceOn(answer) ?? 'Only a 401 or 403 halts a batch for a person.');
};

/**
 * Checks the configured provider for what the port needs and for what its document leaves open. Only sends GETs; it never pays.
 *
 * @throws Error for a base URL without https, or an unknown signing scheme
 */
export const checkProvider = async (dependencies: CheckDependencies): Promise<readonly Finding[]> => {
  const { http, skews } = createReader(dependencies.clock);
  const transport = createTransport({ ...dependencies, http });
  const checked = documentedProvider(transport, dependencies.traits);
  return [
    { what: 'a wrong signature', ...(await checkSignature(dependencies, http)) },
    ...(await checkPort(checked, dependencies)),
    checkClock(skews),
  ];
};
