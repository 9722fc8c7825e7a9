import { parseArgs } from 'node:util';
import { checkFile, fileOf } from './check-file.ts';
import { describeFiles } from './describe-files.ts';

const { values } = parseArgs({
  options: { from: { type: 'string', default: '1' }, files: { type: 'string', default: '400' } },
});
const seeds = Array.from({ length: Number(values.files) }, (_, index) => Number(values.from) + index);
const files = seeds.map(fileOf);
let wrong = 0;
for (const file of files)
  for (const invalidRows of ['reject', 'skip'] as const)
    for (const line of await checkFile(file, invalidRows)) {
      wrong += 1;
      console.log(line);
    }
console.log(`${describeFiles(files)}\n${wrong} findings`);
process.exitCode = wrong === 0 ? 0 : 1;
