import type { Answer, Headers } from '../http/answers.ts';
import type { ServiceRequest } from '../http/request.ts';
import { awaitingPage } from './awaiting-page.ts';
import type { CheckoutView } from './checkout-view.ts';
import { choosingPage } from './choosing-page.ts';
import { completedPage, errorPage, expiredPage } from './outcome-pages.ts';
import { secureHeaders } from './page-frame.ts';
import { qrImage } from './qr-image.ts';
import { formProblem, isFromElsewhere } from './request-origin.ts';
import { chooseLanguage } from './words/choose-language.ts';
import type { Problem, Words } from './words/page-words.ts';
import { pageWords } from './words/page-words.ts';

/** What the page can do with a checkout, each by its id alone. */
export interface PagePorts {
  /** Undefined when there is no such checkout. */
  readonly read: (checkoutId: string) => Promise<CheckoutView | undefined>;
  /**
   * Makes the checkout's one deposit, unless it has one or has expired: then nothing happens and it shows on the page.
   * `not_offered` when the method is none of those that can be chosen, `busy` when too many do something at once.
   */
  readonly pick: (checkoutId: string, paymentMethod: string) => Promise<'done' | 'not_offered' | 'busy'>;
  /** Plays the payment of a deposit that waits for it. Undefined outside a sandbox. */
  readonly pay: ((checkoutId: string) => Promise<void>) | undefined;
}

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

/** The same for every address that leads nowhere, malformed ids among them: nothing can be learned by trying. */
const notFound = (words: Words): Answer => page(words, 404, errorPage(words, 'notFound'));

const refused = (words: Words, statusCode: 403 | 413 | 415): Answer =>
  page(words, statusCode, errorPage(words, 'refused'));

const wrongMethod = (words: Words, allow: string): Answer =>
  page(words, 405, errorPage(words, 'wrongMethod'), { allow });

/** For what nobody foresaw. */
export const brokenPage = (request: ServiceRequest): Answer => {
  const words = wordsFor(request);
  return page(words, 500, errorPage(words, 'broken'));
};

const isProblem = (said: string): said is Problem => Object.hasOwn(pageWords.en.choosing.problems, said);

/** Why the last choice was not taken, by the page's address; undefined when it says nothing that the page knows. */
const problemIn = (query: ServiceRequest['query']): Problem | undefined => {
  const said = new Map(query).get('problem') ?? '';
  return isProblem(said) ? said : undefined;
};

/** A request for a checkout that there is. */
interface Visit {
  readonly words: Words;
  readonly view: CheckoutView;
  readonly request: ServiceRequest;
}

/** 410 for a checkout that is over without a payment: there is nothing here any more, which programs should know too. */
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
 * Back to the page, relative to `<base>/checkout/<id>/<form>`: whatever stands before it, a gateway's stage for one. The
 * page alone shows a problem, because its links, live state and reload work at its own address only.
 */
const backTo = (checkoutId: string, problem?: Problem): Answer =>
  content(303, 'text/plain', '', {
    location: `../${checkoutId}${problem === undefined ? '' : `?problem=${problem}`}`,
  });

const pick = async (ports: PagePorts, { view, request }: Visit): Promise<Answer> => {
  const { checkoutId } = view;
  if (view.state !== 'choosing') return backTo(checkoutId);
  const paymentMethod = new URLSearchParams(request.body.toString('utf8')).get('paymentMethod');
  if (paymentMethod === null) return backTo(checkoutId, 'missing');
  switch (await ports.pick(checkoutId, paymentMethod)) {
    case 'done':
      return backTo(checkoutId);
    case 'not_offered':
      return backTo(checkoutId, 'gone');
    case 'busy':
      return backTo(checkoutId, 'busy');
  }
};

const pay = async ({ pay: play }: PagePorts, { words, view }: Visit): Promise<Answer> => {
  if (play === undefined) return notFound(words);
  if (view.state === 'awaiting_payment') await play(view.checkoutId);
  return backTo(view.checkoutId);
};

const reads: ReadonlyMap<string, (visit: Visit) => Answer> = new Map([
  ['', shownPage],
  ['/state', shownState],
  ['/qr.png', shownQr],
]);

const writes: ReadonlyMap<string, (ports: PagePorts, visit: Visit) => Promise<Answer>> = new Map([
  ['/method', pick],
  ['/pay', pay],
]);

/** What a form's request is refused with; undefined when it is one of our own pages that sent it. */
const refusal = (words: Words, request: ServiceRequest): Answer | undefined => {
  if (isFromElsewhere(request)) return refused(words, 403);
  const problem = formProblem(request);
  return problem === undefined ? undefined : refused(words, problem);
};

/**
 * Answers everything below `/checkout/`. No credentials but the id, which is 128 bits of chance: who has the address is the
 * customer. Every verb gets that id and nothing else to find things by.
 */
export const serveCheckout =
  (ports: PagePorts) =>
  async (request: ServiceRequest): Promise<Answer> => {
    const words = wordsFor(request);
    const [, checkoutId = '', rest = ''] = /^\/checkout\/(chk_[0-9a-f]{32})(\/[a-z.]+)?$/.exec(request.path) ?? [];
    const read = reads.get(rest);
    const write = writes.get(rest);
    if (checkoutId === '' || (read === undefined && write === undefined)) return notFound(words);
    if (read !== undefined && request.method !== 'GET' && request.method !== 'HEAD')
      return wrongMethod(words, 'GET, HEAD');
    if (write !== undefined && request.method !== 'POST') return wrongMethod(words, 'POST');
    const refusedWith = write === undefined ? undefined : refusal(words, request);
    if (refusedWith !== undefined) return refusedWith;
    const view = await ports.read(checkoutId);
    if (view === undefined) return notFound(words);
    const visit = { words, view, request };
    return write === undefined ? (read?.(visit) ?? notFound(words)) : await write(ports, visit);
  };
