import type { Context } from '../context.ts';

/** The result of a lookup. Undefined while the fault `lookup-lag` hides a young record. */
export const unlessLagging = async <Found extends { readonly createdAt: string }>(
  { strike, now }: Context,
  found: Found | undefined,
): Promise<Found | undefined> => {
  if (found === undefined) return undefined;
  const age = now().getTime() - Date.parse(found.createdAt);
  const lag = await strike('lookup-lag', ({ seconds }) => age < seconds * 1000);
  return lag === undefined ? found : undefined;
};
