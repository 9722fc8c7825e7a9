/** Minutes that a time zone is ahead of UTC. 0 when the text is not an offset. */
export const readOffset = (offset: string): number => {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const ahead = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -ahead : ahead;
};

/** A time in a time zone: `text` to the minute, `whole` to the second. Text that is not a time is returned unchanged. */
export const formatTime = (iso: string, offsetMinutes: number): { readonly text: string; readonly whole: string } => {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return { text: iso, whole: iso };
  const there = new Date(ms + offsetMinutes * 60_000).toISOString().replace('T', ' ');
  return { text: there.slice(0, 'YYYY-MM-DD hh:mm'.length), whole: there.slice(0, 'YYYY-MM-DD hh:mm:ss'.length) };
};

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** An age in its largest unit: `3 h ago`. For the future: `in 3 h`. */
export const formatAge = (iso: string, nowMs: number): string => {
  const ms = nowMs - Date.parse(iso);
  if (Number.isNaN(ms)) return iso;
  const [size, unit] = units.find(([length]) => Math.abs(ms) >= length) ?? [1000, 's'];
  const count = Math.floor(Math.abs(ms) / size);
  if (count === 0) return 'now';
  return ms < 0 ? `in ${count} ${unit}` : `${count} ${unit} ago`;
};
