import * as z from 'zod';
import { isReservedReference, referencePattern } from '../domain/reference.ts';
import { largestBatch } from '../settings.ts';

/** One of several fixed words. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** Text whose meaning the domain checks. */
export const anyText = z.string({ error: 'must be a text' });

const hasControlCharacters = /\p{Cc}/u;

/** The same rule for OpenAPI, where many tools know no Unicode properties. It also requires a visible character. */
const readable = String.raw`^[^\u0000-\u001f\u007f-\u009f]*[^\s\ufeff\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$`;

/** Text of 1 to `maximum` characters without control characters. Spaces around it are cut off. */
export const text = (maximum: number) =>
  anyText
    .trim()
    .min(1, 'must not be empty')
    .max(maximum, `must have at most ${maximum} characters`)
    .refine((value) => !hasControlCharacters.test(value), 'must not hold control characters')
    .meta({ pattern: readable });

const hasOtherControlCharacters = /[^\P{Cc}\t\n\r]/u;

/** Free text: kept as it is, with line breaks and tabs. */
const note = anyText
  .max(255, 'must have at most 255 characters')
  .refine(
    (value) => !hasOtherControlCharacters.test(value),
    'must not hold control characters besides line breaks and tabs',
  )
  .meta({ pattern: String.raw`^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$` });

const isNotALine =
  /^[\s\p{Join_Control}\p{Variation_Selector}]*$|[\p{Zl}\p{Zp}\u2800\ufff9-\ufffb[\p{Default_Ignorable_Code_Point}--[\p{Join_Control}\p{Variation_Selector}]]]/v;

/** The same rule for OpenAPI, including control characters. Regex dialects share no escape above U+FFFF. */
const unseen = String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb${'\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}'}`;
const joining = String.raw`\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f${'\u{e0100}-\u{e01ef}'}`;
const lineOfText = String.raw`^[^${unseen}]*[^\s${unseen}${joining}][^${unseen}]*$`;

/**
 * A line of visible characters, apart from joiners and variation selectors. It contains no line breaks and no
 * characters that change the text direction.
 */
export const line = (maximum: number) =>
  text(maximum)
    .refine((value) => !isNotALine.test(value), 'must be one line, without characters that are not shown')
    .meta({ pattern: lineOfText });

/** A merchant's own id for a record. It is safe in a path, where it cannot mean anything else. */
export const reference = anyText
  .regex(referencePattern, 'must be 1 to 128 letters, digits or . _ ~ : @ + = -, a letter or digit first')
  .refine(
    (given) => !isReservedReference(given),
    'must not be a word of the API’s paths, such as estimate, or look like an id',
  );

/** Fields that every created record may have. */
export const referenceAndNote = { reference: reference.optional(), note: note.optional() };

/** The id of a quote from the estimate endpoint. */
export const quoteId = anyText.min(1, 'must not be empty').max(64, 'must have at most 64 characters');

/** The items of one POST. The domain refuses too few or too many, together with other problems of the whole. */
export const batchItems = <Item extends z.ZodType>(item: Item) =>
  z.array(item, { error: 'must be a list' }).meta({ minItems: 1, maxItems: largestBatch });

const notAnAddress = 'must be an https address at a named host, without a user or password';

/**
 * An https address in the characters of RFC 3986: no user, no password, no look-alike letters. `fetch` throws on a user
 * or password.
 */
const addressAt = (host: string) =>
  anyText
    .max(2000, 'must have at most 2000 characters')
    .regex(
      new RegExp(
        `^https:\\/\\/${host}(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?([/?#][A-Za-z0-9._~:/?#[\\]@!$&'()*+,;=%-]*)?$`,
      ),
      notAnAddress,
    )
    .refine((address) => URL.canParse(address), notAnAddress);

/** The last part of a name begins with a letter. Otherwise the host would be an IPv4 address. */
const named = '([A-Za-z0-9-]+\\.)*[A-Za-z][A-Za-z0-9-]*';

/** An address that customers are sent to. */
export const publicAddress = addressAt(named);

/** An address for webhooks. A receiver in a test has no name, so it may also be 127.0.0.1. */
export const webhookUrl = addressAt(`(${named}|127\\.0\\.0\\.1)`);
