import { brokenPage, serveCheckout } from '../checkout-page/serve-checkout.ts';
import { viewOfCheckout } from '../checkout-page/view-of-checkout.ts';
import { checkoutDesk } from '../deposit-service.ts';
import { lambdaHandler } from '../http/lambda.ts';
import { paymentServiceRuntime } from '../runtime.ts';

const runtime = paymentServiceRuntime();
const { sandbox } = runtime.settings;
const desk = checkoutDesk(runtime);

/** Serves the hosted checkout page, by the id in its address and without any other credentials. */
export const handler = lambdaHandler(
  serveCheckout({
    read: async (checkoutId) => {
      const { state, now } = await desk.readCheckout(checkoutId);
      return viewOfCheckout(state, now, sandbox);
    },
    pick: async (checkoutId, paymentMethod) => {
      const { kind } = await desk.pickMethod(checkoutId, paymentMethod);
      return kind === 'not_offered' || kind === 'busy' ? kind : 'done';
    },
    ...(sandbox ? { pay: async (checkoutId) => void (await desk.payDeposit(checkoutId)) } : {}),
  }),
  brokenPage,
);
