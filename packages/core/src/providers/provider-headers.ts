import { z } from 'zod';

const MAX_HEADERS = 20;
/** Of all names and values: providers refuse more than some 8 to 16 KiB, the request's own headers included. */
const MAX_TOTAL_CHARS = 6_000;

/** A token: RFC 9110, section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Visible Latin-1, blanks and tabs: RFC 9110, section 5.5. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What the transport writes itself, and what is for one hop alone: RFC 9110, section 7.6.1. */
const OWN = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'accept-encoding',
  'transfer-encoding',
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);
/** What says who asks: the credential has a place of its own, and Amazon signs it. */
const CREDENTIAL = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-amz-date',
  'x-amz-security-token',
]);

/**
 * What is wrong with a header that an operator wants sent to a provider; null: nothing.
 * @param name in lower case
 */
export function findHeaderNameFault(name: string): string | null {
  if (name === '') return 'Give the header a name';
  if (name.length > 100) return 'Use at most 100 characters';
  if (!NAME.test(name)) return 'A name has letters, digits and dashes, and no blanks';
  if (OWN.has(name)) return `${name} is written by the gateway itself`;
  if (CREDENTIAL.has(name)) return `${name} belongs to the credential: give that instead`;
  return null;
}

/** What is wrong with a header's value; null: nothing. The words never repeat it: it may be a secret. */
export function findHeaderValueFault(value: string): string | null {
  if (value === '') return 'Give the header a value';
  if (value.length > 4_000) return 'Use at most 4,000 characters';
  return VALUE.test(value) ? null : 'The value has characters that no header can carry';
}

const headerSchema = z.object({
  name: z.string().trim().toLowerCase().superRefine(refuse(findHeaderNameFault)),
  /** null: the stored one stays. */
  value: z.string().trim().superRefine(refuse(findHeaderValueFault)).nullable(),
});

/** All headers that a provider is sent beside what its dialect and its credential need; checked on both sides of the wire. */
export const providerHeadersSchema = z
  .array(headerSchema)
  .max(MAX_HEADERS, `Use at most ${MAX_HEADERS} headers`)
  .superRefine((headers, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of headers.entries()) {
      if (seen.has(name))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `${name} is named twice` });
      seen.add(name);
    }
    const total = headers.reduce((sum, { name, value }) => sum + name.length + (value?.length ?? 0), 0);
    if (total > MAX_TOTAL_CHARS)
      context.addIssue({
        code: 'custom',
        message: `All headers together may have ${MAX_TOTAL_CHARS.toLocaleString('en-US')} characters`,
      });
  });

export type ProviderHeaders = z.infer<typeof providerHeadersSchema>;

function refuse(findFault: (text: string) => string | null) {
  return (text: string, context: z.RefinementCtx<string>) => {
    const message = findFault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  };
}
