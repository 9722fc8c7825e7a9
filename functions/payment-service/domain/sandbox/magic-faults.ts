import type { Fault, PlannedFault } from './faults.ts';
import { faults } from './faults.ts';

/** Every reference that asks for a fault begins with this. The other magic references begin with `autopay` or `expire`. */
export const magicFaultBeginning = 'fault:';

/** `fault:drop-after:…`, `fault:get:error-before:x3:…`, `fault:slow:p50:10s:…`. Text after the last colon is free. */
const pattern = /^fault:(?:(get):)?([a-z-]+)(?::x([1-9]\d{0,2})|:p([1-9]\d?))?(?::(\d{1,2})s)?:/;

/** The requests or webhooks that a magic reference affects. */
type Touched = 'creation' | 'lookup' | 'webhook';

const touchedBy = (fault: Fault, get: string | undefined): Touched => {
  if (fault.startsWith('webhook-')) return 'webhook';
  return get !== undefined || fault === 'lookup-lag' ? 'lookup' : 'creation';
};

/**
 * The fault that the reference of a disbursement or deposit asks for. It strikes the first request with the reference;
 * with `x3` the first three; with `p50` half of them.
 *
 * @param touched the current request or webhook: the POST that creates the record, a lookup of it, or a webhook about
 * it
 */
export const magicFault = (reference: string, touched: Touched): PlannedFault | undefined => {
  const [, get, name, times, percent, seconds] = pattern.exec(reference) ?? [];
  const fault = faults.find((one) => one === name);
  if (fault === undefined || touchedBy(fault, get) !== touched) return undefined;
  return {
    endpoint: '*',
    fault,
    ...(percent === undefined ? { left: Number(times ?? '1') } : { probability: `0.${percent.padStart(2, '0')}` }),
    seconds: seconds === undefined ? undefined : Number(seconds),
    source: { reference },
  };
};
