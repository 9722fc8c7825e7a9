import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Loads the bundle named on the command line, as Lambda does, and prints the cost. Runs as a process of its own. */
const file = process.argv[2];
if (file === undefined) throw new Error('A bundle has to be named on the command line');
const require = createRequire(import.meta.url);
const url = pathToFileURL(file).href;
const started = performance.now();
const used = process.cpuUsage();
if (file.endsWith('.mjs')) await import(url);
else require(file);
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ milliseconds: performance.now() - started, cpuMs: (user + system) / 1000 }));
