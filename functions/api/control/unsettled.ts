import type { Batch } from '../../domain/batch.ts';
import type { ChunkRecord } from '../../domain/chunk.ts';
import type { PayoutStatus } from '../../domain/payout.ts';
import { sumOfVersions } from '../../domain/report.ts';

/** Statuses that a later look at the provider may still move. `ready` is not one: an ended batch submits nothing. */
const open: readonly PayoutStatus[] = ['submitting', 'unknown', 'pending', 'on_hold', 'quarantined'];

type Chunk = Pick<ChunkRecord, 'rail' | 'tallies' | 'proofs' | 'contradictions' | 'version'>;

/** How many payouts of these chunks stand in one of these statuses. */
export const countIn = (
  chunks: readonly Pick<ChunkRecord, 'tallies'>[],
  ...statuses: readonly PayoutStatus[]
): number =>
  chunks.reduce(
    (sum, { tallies }) => sum + statuses.reduce((part, status) => part + (tallies[status]?.count ?? 0), 0),
    0,
  );

/** Completed bank transfers, but for those that have no proof since their money came back. */
export const proofsExpected = (chunks: readonly Pick<Chunk, 'rail' | 'tallies' | 'contradictions'>[]): number =>
  chunks
    .filter(({ rail }) => rail === 'fiat')
    .reduce(
      (sum, { tallies, contradictions: { withoutProof = 0 } }) => sum + (tallies.completed?.count ?? 0) - withoutProof,
      0,
    );

export const proofsArchived = (chunks: readonly Pick<Chunk, 'proofs'>[]): number =>
  chunks.reduce((sum, { proofs }) => sum + proofs, 0);

/** What is left to do of a batch that has ended. */
export interface Unsettled {
  /** Payouts that have not come to an end. */
  readonly openPayouts: number;
  /** Completed bank transfers whose proof is not archived, and may be had. */
  readonly missingProofs: number;
  /** Whether a payout changed since the report was made. */
  readonly reportOutdated: boolean;
}

export const unsettledOf = ({ report }: Pick<Batch, 'report'>, chunks: readonly Chunk[]): Unsettled => ({
  openPayouts: countIn(chunks, ...open),
  missingProofs: proofsExpected(chunks) - proofsArchived(chunks),
  reportOutdated: report?.chunkVersions !== undefined && report.chunkVersions !== sumOfVersions(chunks),
});

export const isSettled = ({ openPayouts, missingProofs, reportOutdated }: Unsettled): boolean =>
  openPayouts === 0 && missingProofs === 0 && !reportOutdated;
