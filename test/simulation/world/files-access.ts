import { createFiles } from '../../../functions/files/files.ts';
import type { Files } from '../../../functions/ports/files.ts';
import type { Chance } from '../../support/chance.ts';
import type { MemoryBucket } from '../../support/memory-bucket.ts';
import type { Process } from '../process.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

export interface FilesParts {
  readonly bucket: MemoryBucket;
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly weather: Weather;
}

const outage = (): Error => Object.assign(new Error('S3 is out'), { name: 'ServiceUnavailable' });

/** The real adapter of the bucket for one process, on a bucket in memory. */
export const filesOf = ({ bucket, timeline, chance, weather }: FilesParts, process: Process): Files => {
  const send = (command: unknown): Promise<object> => {
    const isOut = timeline.now < weather.until && chance.happens(weather.filesError);
    const mishap = chance.happens(0.5) ? { before: outage() } : { after: outage() };
    return process.reach('file', () => bucket.answer(command), isOut ? mishap : {});
  };
  const s3 = bucket.client(send);
  return createFiles({ s3, uploads: s3, bucket: 'files', clock: () => timeline.now });
};
