import type { Answer, Headers } from '../http/answers.ts';
import type { ServiceRequest } from '../http/request.ts';
import { awaitingPage } from './awaiting-page.ts';
import type { CheckoutView } from './checkout-view.ts';
import { choosingPage } from './choosing-page.ts';
import { completedPage, errorPage, expiredPage } from './outcome-pages.ts';
import { secureHeaders } from './page-frame.ts';
import type { PagePorts } from './page-ports.ts';
import { qrImage } from './qr-image.ts';
import { formProblem } from './request-origin.ts';
import { chooseLanguage } from './words/choose-language.ts';
import type { Problem, Words } from './words/page-words.ts';
import { pageWords } from './words/page-words.ts';

const content = (
  statusCode: number,
  contentType: string,
  body: string | Uint8Array,
  headers: Headers = {},
): Answer => ({
  kind: 'content',
  statusCode,
  contentType,
  content: body,
  headers: { ...secureHeaders, ...headers },
});

const page = ({ language }: Words, statusCode: number, source: string, headers: Headers = {}): Answer =>
  content(statusCode, 'text/html; charset=utf-8', source, {
    'content-language': language,
    vary: 'Accept-Language',
    ...headers,
  });

const wordsFor = ({ headers }: ServiceRequest): Words => pageWords[chooseLanguage(headers.get('accept-language'))];

/** The same for every unknown address, including malformed ids, so that trying reveals nothing. */
const notFound = (words: Words): Answer => page(words, 404, errorPage(words, 'notFound'));

/** The page after an unexpected error. */
export const brokenPage = (request: ServiceRequest): Answer => {
  const words = wordsFor(request);
  return page(words, 500, errorPage(words, 'broken'));
};

const isProblem = (said: string): said is Problem => Object.hasOwn(pageWords.en.choosing.problems, said);

/** The reason in the page's address why the last choice was not accepted. Undefined when there is none known. */
const problemIn = (query: ServiceRequest['query']): Problem | undefined => {
  const said = new Map(query).get('problem') ?? '';
  return isProblem(said) ? said : undefined;
};

/** A request for an existing checkout. */
interface Visit {
  readonly ports: PagePorts;
  readonly words: Words;
  readonly view: CheckoutView;
  readonly request: ServiceRequest;
}

/** An expired checkout has status 410, so that programs notice too. */
const shownPage = ({ words, view, request }: Visit): Answer => {
  switch (view.state) {
    case 'choosing':
      return page(words, 200, choosingPage(words, view, problemIn(request.query)));
    case 'awaiting_payment':
      return page(words, 200, awaitingPage(words, view));
    case 'completed':
      return page(words, 200, completedPage(words, view));
    case 'expired':
      return page(words, 410, expiredPage(words, view));
  }
};

const shownState = ({ view: { state, expiresAt, secondsLeft } }: Visit): Answer =>
  content(200, 'application/json', JSON.stringify({ state, expiresAt, secondsLeft }));

const shownQr = ({ words, view }: Visit): Answer => {
  const qrData = view.state === 'awaiting_payment' ? view.instructions.qrData : undefined;
  return qrData === undefined ? notFound(words) : content(200, 'image/png', qrImage(qrData));
};

/**
 * Redirects to the page, relative to `<base>/checkout/<id>/<form>`, because a gateway's stage may precede it. Only the
 * page itself shows problems: its links, live state and reload work only at its own address.
 */
const backTo = (checkoutId: string, problem?: Problem): Answer =>
  content(303, 'text/plain', '', {
    location: `../${checkoutId}${problem === undefined ? '' : `?problem=${problem}`}`,
  });

const pickProblems = { done: undefined, not_offered: 'gone', busy: 'busy' } as const;

const pick = async ({ ports, view, request }: Visit): Promise<Answer> => {
  const { checkoutId } = view;
  if (view.state !== 'choosing') return backTo(checkoutId);
  const paymentMethod = new URLSearchParams(request.body.toString('utf8')).get('paymentMethod');
  if (paymentMethod === null) return backTo(checkoutId, 'missing');
  return backTo(checkoutId, pickProblems[await ports.pick(checkoutId, paymentMethod)]);
};

const pay = async ({ ports, words, view }: Visit): Promise<Answer> => {
  if (ports.pay === undefined) return notFound(words);
  if (view.state === 'awaiting_payment') await ports.pay(view.checkoutId);
  return backTo(view.checkoutId);
};

interface Operation {
  readonly allow: 'GET, HEAD' | 'POST';
  readonly answer: (visit: Visit) => Answer | Promise<Answer>;
}

const operations: ReadonlyMap<string, Operation> = new Map([
  ['', { allow: 'GET, HEAD', answer: shownPage }],
  ['/state', { allow: 'GET, HEAD', answer: shownState }],
  ['/qr.png', { allow: 'GET, HEAD', answer: shownQr }],
  ['/method', { allow: 'POST', answer: pick }],
  ['/pay', { allow: 'POST', answer: pay }],
]);

/**
 * Answers everything below `/checkout/`. The id is the only credential: 128 random bits that only the customer should
 * know. Every operation finds its data by that id alone.
 */
export const serveCheckout =
  (ports: PagePorts) =>
  async (request: ServiceRequest): Promise<Answer> => {
    const words = wordsFor(request);
    const [, checkoutId = '', rest = ''] = /^\/checkout\/(chk_[0-9a-f]{32})(\/[a-z.]+)?$/.exec(request.path) ?? [];
    const operation = operations.get(rest);
    if (checkoutId === '' || operation === undefined) return notFound(words);
    const { allow, answer } = operation;
    if (!allow.split(', ').includes(request.method))
      return page(words, 405, errorPage(words, 'wrongMethod'), { allow });
    const problem = allow === 'POST' ? formProblem(request) : undefined;
    if (problem !== undefined) return page(words, problem, errorPage(words, 'refused'));
    const view = await ports.read(checkoutId);
    return view === undefined ? notFound(words) : await answer({ ports, words, view, request });
  };
