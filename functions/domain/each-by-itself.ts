import { nameOfError } from './errors.ts';

/**
 * Runs work on several things, so that one that fails does not hold up the others. Work on a thing that has failed is skipped
 * from then on. The caller ends its run with an error when `failed` is not empty.
 *
 * @param onFailure called with the names of the thing and of its error
 */
export const eachByItself = (onFailure: (name: string, error: string) => void) => {
  const failed = new Set<string>();
  const attempt = async <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    if (failed.has(name)) return undefined;
    try {
      return await work();
    } catch (error) {
      failed.add(name);
      onFailure(name, nameOfError(error));
      return undefined;
    }
  };
  return { failed, attempt };
};
