import type { Exchange } from './aws-meter.ts';
import type { MeteredTable, TableUse } from './table-meter.ts';
import { TableMeter } from './table-meter.ts';

/** The resources of one of the two designs: its table, its bucket, and the APIs it calls and serves. */
export interface Metered {
  readonly table: MeteredTable;
  readonly bucket: string;
  /** The payment service's address, without a trailing slash. */
  readonly providerUrl: string;
  /** Its own API, if it has one. */
  readonly apiUrl?: string;
}

export interface MeteredUse extends TableUse {
  readonly providerRequests: number;
  readonly proofRequests: number;
  readonly s3Writes: number;
  readonly s3Reads: number;
  readonly apiRequests: number;
}

/** Counts requests by purpose. Requests to anything else are ignored. */
export class UsageMeter {
  readonly #metered: Metered;
  readonly #table: TableMeter;
  readonly #counts = { providerRequests: 0, proofRequests: 0, s3Writes: 0, s3Reads: 0, apiRequests: 0 };

  constructor(metered: Metered) {
    this.#metered = metered;
    this.#table = new TableMeter(metered.table);
  }

  get use(): MeteredUse {
    return { ...this.#table.use, ...this.#counts };
  }

  observe(exchange: Exchange): void {
    const { bucket, providerUrl, apiUrl } = this.#metered;
    const path = exchange.path.split('?')[0] ?? '';
    if (exchange.target !== '') this.#table.observe(exchange);
    else if (isBelow(path, providerUrl)) {
      if (path.endsWith('/report')) this.#counts.proofRequests += 1;
      else this.#counts.providerRequests += 1;
    } else if (apiUrl !== undefined && isBelow(path, apiUrl)) this.#counts.apiRequests += 1;
    else if (exchange.host.startsWith(`${bucket}.`) || path === `/${bucket}` || path.startsWith(`/${bucket}/`)) {
      if (exchange.method === 'GET' || exchange.method === 'HEAD') this.#counts.s3Reads += 1;
      else if (exchange.method !== 'DELETE') this.#counts.s3Writes += 1;
    }
  }
}

const isBelow = (path: string, url: string): boolean => path.startsWith(`${new URL(url).pathname}/`);
