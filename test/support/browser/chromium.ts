import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { chromium } from 'playwright-core';

/** Chromium's headless shell comes first: it takes a third of the processor time that Chromium takes. */
const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const chosen = process.env['CHROMIUM'];

/** The path of this machine's browser. Undefined when there is none. `CHROMIUM` overrides the usual places. */
export const chromiumPath = [...(chosen === undefined ? usualPlaces : [chosen])].find((place) => existsSync(place));

export const howToGetChromium =
  'no Chromium found. Install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM to its path';

/** A skipped test looks like a passing one, so in CI a missing browser is a failure. */
if (chromiumPath === undefined && process.env['CI'] === 'true') throw new Error(howToGetChromium);
if (chromiumPath === undefined) console.error(`Browser tests are skipped: ${howToGetChromium}`);

/** Turns off the browser's own services, so it contacts only the addresses of the test. */
const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The windows in which pages are tested. */
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

export interface OpenBrowser {
  /** A new person with a browser context of their own that shares nothing. */
  readonly person: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  readonly close: () => Promise<void>;
}

/** Starts the browser without a window. It accepts the self-signed certificate of the local AWS. */
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
