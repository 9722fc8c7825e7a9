/** Minutes that a time zone is ahead of UTC, and its name: `+07`, `-03:30` or `UTC`. Text that is not an offset is UTC. */
const readOffset = (offset: string) => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):([0-5]\d)$/.exec(offset) ?? [];
  const ahead = Number(hours) * 60 + Number(minutes);
  if (!ahead) return { ahead: 0, name: 'UTC' };
  return { ahead: sign === '-' ? -ahead : ahead, name: offset.replace(':00', '') };
};

/**
 * A time with its time zone, because messages beside it have UTC: `text` to the minute, `whole` to the second. Text that is not a
 * time is returned unchanged.
 *
 * @param offset of the time zone, such as `+07:00`
 */
export const formatTime = (iso: string, offset: string): { readonly text: string; readonly whole: string } => {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return { text: iso, whole: iso };
  const { ahead, name } = readOffset(offset);
  const there = new Date(ms + ahead * 60_000).toISOString().replace('T', ' ');
  const to = (shape: string): string => `${there.slice(0, shape.length)} ${name}`;
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
