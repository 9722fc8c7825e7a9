import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { keptLogs } from '../../support/leaks.ts';

/** The watch's work, by its log. Only its schedule runs it. */
export interface WatchLooks {
  readonly looks: number;
  /** Log lines by code. */
  readonly logged: ReadonlyMap<string, number>;
}

const codeIn = (line: string): string | undefined => /"message":"((watch|alarm)\.\w+)"/.exec(line)?.[1];

export const readWatch = async (): Promise<WatchLooks> => {
  const groups: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: new LambdaClient() }, {})) {
    const watches = Functions.filter(({ FunctionName }) => FunctionName?.includes('WatchBatches'));
    groups.push(...watches.flatMap(({ LoggingConfig }) => LoggingConfig?.LogGroup ?? []));
  }
  const [group] = groups;
  if (group === undefined) throw new Error('the watch or its log was not found');
  const lines = (await keptLogs(group)).map(({ text }) => text);
  const logged = new Map<string, number>();
  for (const code of lines.flatMap((line) => codeIn(line) ?? [])) logged.set(code, (logged.get(code) ?? 0) + 1);
  return { looks: lines.filter((line) => line.startsWith('START ')).length, logged };
};
