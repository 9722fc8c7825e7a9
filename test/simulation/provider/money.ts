const decimals = 6;
const one = 10n ** BigInt(decimals);

/** An amount in millionths, which is exact for every currency of the simulated provider. */
export const millionths = (text: string): bigint => {
  const match = /^(\d+)(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) throw new Error(`not an amount: ${text}`);
  return BigInt(match[1] ?? '0') * one + BigInt((match[2] ?? '').padEnd(decimals, '0'));
};

export const amountText = (amount: bigint): string => {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
};

/** An amount as a number in a JSON body, digit by digit. */
export const amountNumber = (amount: bigint): unknown => JSON.rawJSON(amountText(amount));

/** The smallest unit with this many decimals, in millionths. */
export const unitOf = (places: number): bigint => 10n ** BigInt(decimals - places);

export const larger = (amount: bigint, other: bigint): bigint => {
  if (amount > other) return amount;
  return other;
};

export const smaller = (amount: bigint, other: bigint): bigint => (larger(amount, other) === amount ? other : amount);
