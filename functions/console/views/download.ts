import type { FileLink } from '../../api/schemas/file-links.ts';
import { formatCount, plural } from '../../domain/money/format-money.ts';
import type { ZippedProofs } from '../../ports/operator-functions.ts';
import type { Drawing } from '../markup/drawing.ts';
import type { Content, Html } from '../markup/html.ts';
import { html } from '../markup/html.ts';
import { notice, outward } from '../markup/widget.ts';

type Archive = Extract<ZippedProofs, { readonly kind: 'made' }>;

/** A link to a file, in a popup. */
export const drawDownload = (
  drawing: Drawing,
  { name, url, expiresAt }: FileLink & { readonly name: string },
  about?: Content,
  ...more: readonly Content[]
): Html =>
  notice(
    drawing,
    'plain',
    name,
    html`${outward(url, `Download ${name}`)} <span class="muted">The link works until ${drawing.time(expiresAt)}. Anyone who has it can read the file.</span>${about}`,
    ...more,
  );

/** A link to a part of a batch's transfer proofs, and a button that makes the next part. */
export const drawArchive = (drawing: Drawing, batchId: string, archive: Archive): Html => {
  const { proofs, altered = 0, cursor } = archive;
  const held = `${formatCount(proofs)} transfer ${plural(proofs, 'proof')}. Its index.csv lists the payout of each.`;
  const leftOut =
    altered > 0 &&
    html`<div>${formatCount(altered)} ${plural(altered, 'is', 'are')} left out: someone changed or deleted ${plural(altered, 'its file', 'their files')}. index.csv names ${plural(altered, 'it', 'them')}.</div>`;
  const next = cursor && drawing.opens('Next part', { view: 'proofs', batchId, cursor }, { inPopup: true });
  const takeNextNote = cursor && html`<div>This is not all: take the next part too.</div>`;
  return drawDownload(drawing, archive, html`<div>${held}</div>${leftOut}${takeNextNote}`, next);
};
