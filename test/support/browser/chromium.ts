import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { chromium } from 'playwright-core';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const chosen = process.env['CHROMIUM'];

/** The browser of this machine; undefined when it has none. `CHROMIUM` names one that is elsewhere. */
export const chromiumPath = [...(chosen === undefined ? usualPlaces : [chosen])].find((place) => existsSync(place));

export const howToGetChromium =
  'no Chromium here: install it (Debian: apt-get install chromium) or name one in CHROMIUM, and these tests run too';

/** A test that is left out looks like one that passed: where all have to run, a missing browser is a failure. */
if (chromiumPath === undefined && process.env['CI'] === 'true') throw new Error(howToGetChromium);
if (chromiumPath === undefined) console.error(`Browser tests are skipped: ${howToGetChromium}`);

/** No service of the browser's own: it goes nowhere but where the test sends it. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenBrowser {
  /** Somebody else with a browser of their own: nothing is shared with others. */
  readonly person: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  readonly close: () => Promise<void>;
}

/** Starts the browser without a window. The local AWS has a certificate of its own making, which it takes. */
export const openBrowser = async (): Promise<OpenBrowser> => {
  if (chromiumPath === undefined) throw new Error(howToGetChromium);
  const home = mkdtempSync(path.join(tmpdir(), 'checkout-browser-'));
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    args: switches,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
  });
  return {
    person: (options = {}) => browser.newContext({ ignoreHTTPSErrors: true, ...options }),
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
};
