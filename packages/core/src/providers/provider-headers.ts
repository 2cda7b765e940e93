import { z } from 'zod';

const MAX_HEADERS = 20;
/** Limit for all names and values. Providers reject more than 8 to 16 KiB, including the request's own headers. */
const MAX_TOTAL_CHARS = 6_000;

/** A token: RFC 9110, section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Visible Latin-1, spaces and tabs: RFC 9110, section 5.5. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that the transport sets, and hop-by-hop headers: RFC 9110, section 7.6.1. */
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
/** Authentication headers: use the credential instead. */
const CREDENTIAL = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-amz-date',
  'x-amz-security-token',
]);

/**
 * Validates the name of a header for a provider. Returns an error message, or null if it is valid.
 * @param name in lowercase
 */
export function findHeaderNameProblem(name: string): string | null {
  if (name === '') return 'Enter a header name';
  if (name.length > 100) return 'Use at most 100 characters';
  if (!NAME.test(name)) return 'Use letters, digits and dashes without spaces';
  if (OWN.has(name)) return `${name} is set by the gateway`;
  if (CREDENTIAL.has(name)) return `${name} is set by the credential. Change the credential instead.`;
  return null;
}

/** Returns an error message, or null if the value is valid. Never includes the value: it may be a secret. */
export function findHeaderValueProblem(value: string): string | null {
  if (value === '') return 'Enter a header value';
  if (value.length > 4_000) return 'Use at most 4,000 characters';
  return VALUE.test(value) ? null : 'The value contains characters that headers do not allow';
}

const headerSchema = z.object({
  name: z.string().trim().toLowerCase().superRefine(refuse(findHeaderNameProblem)),
  /** null: keep the stored value. */
  value: z.string().trim().superRefine(refuse(findHeaderValueProblem)).nullable(),
});

/** Additional headers for a provider; validated by client and server. */
export const providerHeadersSchema = z
  .array(headerSchema)
  .max(MAX_HEADERS, `Use at most ${MAX_HEADERS} headers`)
  .superRefine((headers, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of headers.entries()) {
      if (seen.has(name))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `${name} is listed twice` });
      seen.add(name);
    }
    const total = headers.reduce((sum, { name, value }) => sum + name.length + (value?.length ?? 0), 0);
    if (total > MAX_TOTAL_CHARS)
      context.addIssue({
        code: 'custom',
        message: `All headers together can have at most ${MAX_TOTAL_CHARS.toLocaleString('en-US')} characters`,
      });
  });

export type ProviderHeaders = z.infer<typeof providerHeadersSchema>;

function refuse(findProblem: (text: string) => string | null) {
  return (text: string, context: z.RefinementCtx<string>) => {
    const message = findProblem(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  };
}
