/** Limits a right on a table to items whose partition keys start with a prefix. Without a prefix it is for all items. */
export const leadingKeys = (prefix: string | undefined) =>
  prefix === undefined ? {} : { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${prefix}*`] } };
