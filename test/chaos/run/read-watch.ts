import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { keptLogs } from '../../support/leaks.ts';

/** What the watch over batches did, by its log. Nothing here wakes it: its schedule does. */
export interface WatchLooks {
  readonly looks: number;
  /** How often it told what, by the code of the log line. */
  readonly told: ReadonlyMap<string, number>;
}

const codeIn = (line: string): string | undefined => /"message":"((watch|alarm)\.\w+)"/.exec(line)?.[1];

export const readWatch = async (): Promise<WatchLooks> => {
  const groups: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: new LambdaClient() }, {})) {
    const watches = Functions.filter(({ FunctionName }) => FunctionName?.includes('WatchBatches'));
    groups.push(...watches.flatMap(({ LoggingConfig }) => LoggingConfig?.LogGroup ?? []));
  }
  const [group] = groups;
  if (group === undefined) throw new Error('there is no watch, or it has no log');
  const lines = (await keptLogs(group)).map(({ text }) => text);
  const told = new Map<string, number>();
  for (const code of lines.flatMap((line) => codeIn(line) ?? [])) told.set(code, (told.get(code) ?? 0) + 1);
  return { looks: lines.filter((line) => line.startsWith('START ')).length, told };
};
