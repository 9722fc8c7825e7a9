import type { Clock } from '../../ports/environment.ts';
import { createPaymentServiceClient } from '../client/payment-service-client.ts';
import { documentedTraits, signingCredentials } from '../settings.ts';
import type { HttpOutcome } from '../transport/http.ts';
import { requestRead } from '../transport/http.ts';
import type { Http, TransportDependencies } from '../transport/transport.ts';
import { createTransport } from '../transport/transport.ts';
import type { PortQuestions } from './check-port.ts';
import { checkPort } from './check-port.ts';
import { adviceOn, describeAnswer, documentedProvider, refusesCredentials } from './document-words.ts';
import type { Finding } from './finding.ts';
import { good, note, wrong } from './finding.ts';

export type CheckDependencies = Omit<TransportDependencies, 'http' | 'pace'> & PortQuestions;

/** A signature's time, and the age at which a call is looked up, bear this much. */
const skewBorneMs = 5000;

/** Reads only, whatever is asked of it, and hears the time that answers tell. */
export const createReader = (clock: Clock, asked: Pick<Http, 'requestRead'> = { requestRead }) => {
  const skews: number[] = [];
  const hear = (outcome: HttpOutcome): HttpOutcome => {
    const at = outcome.kind === 'response' ? Date.parse(outcome.date ?? '') : Number.NaN;
    // The header tells whole seconds: on average half of one has passed.
    if (!Number.isNaN(at)) skews.push(at + 500 - clock());
    return outcome;
  };
  const http: Http = {
    requestOnce: async () => ({ kind: 'not_sent', cause: 'reads_only' }),
    requestRead: async (request, again) => hear(await asked.requestRead(request, again)),
  };
  return { http, skews };
};

/** How far the time of answers is from ours, by the least that was heard. */
export const checkClock = (skews: readonly number[]): Finding => {
  const what = 'clock';
  const least = skews.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0];
  if (least === undefined) return note(what, 'answers tell no time');
  const told = `${Math.abs(Math.round(least / 1000))} s ${least < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(least) <= skewBorneMs) return good(what, told);
  return note(what, told, 'Set the clock of the one that is wrong: a signature covers the time.');
};

/** A signature by another secret must be refused, and how that looks is not documented. */
const checkSignature = async (dependencies: CheckDependencies, http: Http): Promise<Finding> => {
  const what = 'a wrong signature';
  const credentials: TransportDependencies['credentials'] = async (convention) => {
    const { clientId } = signingCredentials().parse(await dependencies.credentials(convention));
    return { clientId, clientSecret: 'not the secret' };
  };
  const client = createPaymentServiceClient(createTransport({ ...dependencies, credentials, http }));
  const answer = await client.fiatDisbursements.find(dependencies.unusedReference);
  // Who says that there is none has believed it.
  if (answer.kind === 'succeeded' || (answer.kind === 'refused' && answer.statusCode === 404))
    return note(what, 'is taken', 'Tell the provider: anyone who knows the client id can read.');
  if (refusesCredentials(answer)) return good(what, describeAnswer(answer));
  return wrong(what, describeAnswer(answer), adviceOn(answer) ?? 'Only a 401 or 403 halts a batch for a person.');
};

/**
 * Asks the provider of the settings what the port rests on, and besides what its document leaves open. It never pays: all it sends
 * are GETs.
 *
 * @throws Error for a base URL without https, or an unknown signing scheme
 */
export const checkProvider = async (dependencies: CheckDependencies): Promise<readonly Finding[]> => {
  const { http, skews } = createReader(dependencies.clock);
  const transport = createTransport({ ...dependencies, http });
  const checked = documentedProvider(transport, dependencies.traits ?? documentedTraits());
  return [await checkSignature(dependencies, http), ...(await checkPort(checked, dependencies)), checkClock(skews)];
};
