import type { Exchange } from '../exchange.ts';

const SECONDS = /^\d{1,9}(?:\.\d{1,6})?$/;
/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7 */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** A provider's retry headers, and the values that they may have; its other headers describe the operator's account. */
const RELAYED_HEADERS: Readonly<Record<string, readonly RegExp[]>> = {
  'retry-after': [SECONDS, HTTP_DATE],
  'retry-after-ms': [SECONDS],
  'x-should-retry': [/^(?:true|false)$/],
};

/** Passes the provider's retry headers on, if they have the form of the standard. */
export function setRetryHeaders(
  exchange: Pick<Exchange, 'setHeader'>,
  header: (name: string) => string | null,
): void {
  for (const [name, forms] of Object.entries(RELAYED_HEADERS)) {
    const value = header(name);
    if (value !== null && forms.some((form) => form.test(value))) exchange.setHeader(name, value);
  }
}
