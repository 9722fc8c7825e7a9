import { pathToFileURL } from 'node:url';

/** Imports the bundle that the command line names and prints what that took. A process of its own. */
const file = process.argv[2];
if (file === undefined) throw new Error('A bundle has to be named on the command line');
const url = pathToFileURL(file).href;
const started = performance.now();
const used = process.cpuUsage();
await import(url);
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ milliseconds: performance.now() - started, cpuMs: (user + system) / 1000 }));
