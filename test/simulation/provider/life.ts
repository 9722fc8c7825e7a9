import type { Chance } from '../../support/chance.ts';
import { hour } from '../../support/durations.ts';
import type { Rail, Word } from './truth.ts';

/** How the provider's payments fare. Each is the probability for one payment. */
export interface Fortunes {
  /** It changes after its end, rests with the provider, or never ends. */
  readonly odd: number;
  /** It takes hours, up to two days. */
  readonly slow: number;
  /** It is held for days, then ends. A wallet transfer shows that it is held; a bank transfer only stays pending. */
  readonly held: number;
  /** It fails, and completes hours later. */
  readonly takenBack?: number;
}

const endOf = (chance: Chance, rail: Rail): Word => {
  if (chance.happens(0.85)) return 'completed';
  return rail === 'crypto' && chance.happens(0.3) ? 'canceled' : 'failed';
};

/** A payment's next word, and how long after the previous one. */
type Stage = { readonly afterMs: number; readonly word: Word };

/** Most end within a minute, some within twenty. */
const drawQuick = (chance: Chance): number => chance.between(0, chance.pick([1_200_000, 60_000, 5_000]));

const drawStages = (chance: Chance, { odd, slow, held, takenBack = 0 }: Fortunes, rail: Rail): readonly Stage[] => {
  const stages: Stage[] = [];
  const then = (word: Word, afterMs = drawQuick(chance)): void => {
    stages.push({ afterMs, word });
  };
  if (takenBack > 0 && chance.happens(takenBack)) {
    then('failed');
    then('completed', chance.between(0, 4) * hour);
    return stages;
  }
  const end = endOf(chance, rail);
  const isHeld = chance.happens(held);
  if (rail === 'crypto' && chance.happens(0.3)) then('pending_retry');
  if (rail === 'crypto' && chance.happens(0.3)) then('processed');
  if (rail === 'crypto' && (isHeld || chance.happens(2 * odd))) then('need_check');
  if (isHeld) {
    then(end, chance.between(24, 96) * hour);
    return stages;
  }
  if (chance.happens(odd)) return stages;
  then(end, chance.happens(slow) ? chance.between(1, chance.pick([3, 12, 48])) * hour : drawQuick(chance));
  if (chance.happens(odd)) then(end === 'completed' ? 'failed' : 'completed');
  return stages;
};

/** A payment's words, and how long after its creation each begins. */
export const planLife = (
  chance: Chance,
  fortunes: Fortunes,
  rail: Rail,
): readonly { readonly inMs: number; readonly word: Word }[] => {
  let inMs = 0;
  return drawStages(chance, fortunes, rail).map(({ afterMs, word }) => {
    inMs += afterMs;
    return { inMs, word };
  });
};
