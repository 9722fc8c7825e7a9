import { pagePorts } from '../checkout-page/page-ports.ts';
import { brokenPage, serveCheckout } from '../checkout-page/serve-checkout.ts';
import { lambdaHandler } from '../http/lambda-handler.ts';
import { paymentServiceRuntime } from '../runtime.ts';

/** Serves the hosted checkout page. The id in its address is the only credential. */
export const handler = lambdaHandler(serveCheckout(pagePorts(paymentServiceRuntime())), brokenPage);
