import * as z from 'zod';

// A program, because a process loads each module once. It imports the files whose URLs it is given, and prints those that make
// schemas meanwhile, one a line.

const makers = new Set<string>();

/** The innermost file of functions/ on the stack, where a schema is made. */
const makerOf = (stack: string): string => /functions\/[\w/-]+\.ts/.exec(stack)?.[0] ?? 'a file elsewhere';

// zod calls the hook for each new schema.
z.config({ postProcessor: () => makers.add(makerOf(new Error('made here').stack ?? '')) });

await Promise.all(process.argv.slice(2).map((url) => import(url)));
process.stdout.write([...makers].join('\n'));
