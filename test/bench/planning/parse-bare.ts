import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { reportSelf } from './report-self.ts';

/** The least possible work on a CSV: parse every record from a stream and drop it. Runs as a process of its own. */
await reportSelf(
  (file) =>
    new Promise((resolve, reject) => {
      let records = 0;
      createReadStream(file)
        .on('error', reject)
        .pipe(parse())
        .on('data', () => {
          records += 1;
        })
        .on('end', () => resolve(records - 1))
        .on('error', reject);
    }),
);
