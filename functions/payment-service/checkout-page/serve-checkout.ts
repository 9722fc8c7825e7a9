import type { Answer, Headers } from '../http/answers.ts';
import type { ServiceRequest } from '../http/request.ts';
import { awaitingPage } from './awaiting-page.ts';
import type { CheckoutView } from './checkout-view.ts';
import { choosingPage } from './choosing-page.ts';
import { completedPage, errorPage, expiredPage } from './outcome-pages.ts';
import { secureHeaders } from './page-frame.ts';
import { qrImage } from './qr-image.ts';
import { formProblem, isFromElsewhere } from './request-origin.ts';

/** What the page can do with a checkout, each by its id alone. */
export interface PagePorts {
  /** Undefined when there is no such checkout. */
  readonly read: (checkoutId: string) => Promise<CheckoutView | undefined>;
  /**
   * Makes the checkout's one deposit, unless it has one or has expired: then nothing happens and it shows on the page.
   * `not_offered` when the method is none of those that can be chosen, `busy` when too many do something at once.
   */
  readonly pick: (checkoutId: string, paymentMethod: string) => Promise<'done' | 'not_offered' | 'busy'>;
  /** Plays the payment of a deposit that waits for it. Absent outside a sandbox. */
  readonly pay?: (checkoutId: string) => Promise<void>;
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

const page = (statusCode: number, source: string, headers?: Headers): Answer =>
  content(statusCode, 'text/html; charset=utf-8', source, headers);

/** The same for every address that leads nowhere, malformed ids among them: nothing can be learned by trying. */
const notFound = page(
  404,
  errorPage('There is no checkout here', 'Check the address, or go back to the merchant and start again.'),
);

const refused = (statusCode: 403 | 413 | 415): Answer =>
  page(
    statusCode,
    errorPage('This was not sent by the checkout page', 'Nothing has changed. Open the checkout again by its address.'),
  );

const wrongMethod = (allow: string): Answer =>
  page(405, errorPage('This cannot be done here', 'Open the checkout again by its address.'), { allow });

/** For what nobody foresaw. */
export const brokenPage: Answer = page(
  500,
  errorPage('Something went wrong', 'Open this page again in a moment to see how your payment stands.'),
);

/** 410 for a checkout that is over without a payment: there is nothing here any more, which programs should know too. */
function shownPage(view: CheckoutView): Answer {
  switch (view.state) {
    case 'choosing':
      return page(200, choosingPage(view));
    case 'awaiting_payment':
      return page(200, awaitingPage(view));
    case 'completed':
      return page(200, completedPage(view));
    case 'expired':
      return page(410, expiredPage(view));
  }
}

function shownState({ state, expiresAt, secondsLeft }: CheckoutView): Answer {
  return content(200, 'application/json', JSON.stringify({ state, expiresAt, secondsLeft }));
}

function shownQr(view: CheckoutView): Answer {
  const qrData = view.state === 'awaiting_payment' ? view.instructions.qrData : undefined;
  return qrData === undefined ? notFound : content(200, 'image/png', qrImage(qrData));
}

/** Back to the page, relative to `<base>/checkout/<id>/<form>`: whatever stands before it, a gateway's stage for one. */
const backTo = (checkoutId: string): Answer => content(303, 'text/plain', '', { location: `../${checkoutId}` });

const choiceMissing = 'Choose one of the payment methods.';
const choiceGone = 'This payment method cannot be used here. Choose another one.';
const tooBusy = 'Nothing has been chosen yet: there is too much going on. Try again in a moment.';

async function pick(ports: PagePorts, view: CheckoutView, request: ServiceRequest): Promise<Answer> {
  const { checkoutId } = view;
  if (view.state !== 'choosing') return backTo(checkoutId);
  const paymentMethod = new URLSearchParams(request.body.toString('utf8')).get('paymentMethod');
  if (paymentMethod === null) return page(400, choosingPage(view, choiceMissing));
  switch (await ports.pick(checkoutId, paymentMethod)) {
    case 'done':
      return backTo(checkoutId);
    case 'not_offered':
      return page(400, choosingPage(view, choiceGone));
    case 'busy':
      return page(503, choosingPage(view, tooBusy));
  }
}

async function pay({ pay: play }: PagePorts, { state, checkoutId }: CheckoutView): Promise<Answer> {
  if (play === undefined) return notFound;
  if (state === 'awaiting_payment') await play(checkoutId);
  return backTo(checkoutId);
}

const reads: ReadonlyMap<string, (view: CheckoutView) => Answer> = new Map([
  ['', shownPage],
  ['/state', shownState],
  ['/qr.png', shownQr],
]);

const writes: ReadonlyMap<string, (ports: PagePorts, view: CheckoutView, request: ServiceRequest) => Promise<Answer>> =
  new Map([
    ['/method', pick],
    ['/pay', pay],
  ]);

/** What a form's request is refused with; undefined when it is one of our own pages that sent it. */
function refusal(request: ServiceRequest): Answer | undefined {
  if (isFromElsewhere(request)) return refused(403);
  const problem = formProblem(request);
  return problem === undefined ? undefined : refused(problem);
}

/**
 * Answers everything below `/checkout/`. No credentials but the id, which is 128 bits of chance: who has the address is the
 * customer. Every verb gets that id and nothing else to find things by.
 */
export const serveCheckout =
  (ports: PagePorts) =>
  async (request: ServiceRequest): Promise<Answer> => {
    const [, checkoutId = '', rest = ''] = /^\/checkout\/(chk_[0-9a-f]{32})(\/[a-z.]+)?$/.exec(request.path) ?? [];
    const read = reads.get(rest);
    const write = writes.get(rest);
    if (checkoutId === '' || (read === undefined && write === undefined)) return notFound;
    if (read !== undefined && request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD');
    if (write !== undefined && request.method !== 'POST') return wrongMethod('POST');
    const refusedWith = write === undefined ? undefined : refusal(request);
    if (refusedWith !== undefined) return refusedWith;
    const view = await ports.read(checkoutId);
    if (view === undefined) return notFound;
    return write === undefined ? (read?.(view) ?? notFound) : await write(ports, view, request);
  };
