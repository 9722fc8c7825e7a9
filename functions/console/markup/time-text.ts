/** Minutes that a time zone is ahead of UTC. 0 when the text is not an offset. */
export const readOffset = (offset: string): number => {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const ahead = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -ahead : ahead;
};

/** `+07`, `-03:30` or `UTC`. */
const zoneOf = (offsetMinutes: number): string => {
  if (offsetMinutes === 0) return 'UTC';
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const twoDigits = (part: number): string => String(part).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${twoDigits(hours)}${minutes === 0 ? '' : `:${twoDigits(minutes)}`}`;
};

/**
 * A time with its time zone, because messages beside it have UTC: `text` to the minute, `whole` to the second. Text that is not a
 * time is returned unchanged.
 */
export const formatTime = (iso: string, offsetMinutes: number): { readonly text: string; readonly whole: string } => {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return { text: iso, whole: iso };
  const there = new Date(ms + offsetMinutes * 60_000).toISOString().replace('T', ' ');
  const to = (shape: string): string => `${there.slice(0, shape.length)} ${zoneOf(offsetMinutes)}`;
  return { text: to('YYYY-MM-DD hh:mm'), whole: to('YYYY-MM-DD hh:mm:ss') };
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
