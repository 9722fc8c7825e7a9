import type { Context } from '../context.ts';

/** What a lookup found, or undefined while the fault `lookup-lag` keeps a young record from being found. */
export const unlessLagging = async <Found extends { readonly createdAt: string }>(
  { strike, now }: Context,
  found: Found | undefined,
): Promise<Found | undefined> => {
  if (found === undefined) return undefined;
  const age = now().getTime() - Date.parse(found.createdAt);
  const lag = await strike('lookup-lag', ({ seconds }) => age < seconds * 1000);
  return lag === undefined ? found : undefined;
};
