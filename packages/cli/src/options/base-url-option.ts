import { parseBaseUrl } from '@tollgate/upstreams/presets/parse-base-url';
import { z } from 'zod';

/** Parses the base URL of a provider and removes a trailing slash. */
export const baseUrlOption = z.string().transform((text, context) => {
  const parsed = parseBaseUrl(text);
  if (parsed.ok) return parsed.baseUrl;
  context.addIssue({ code: 'custom', message: parsed.reason });
  return z.NEVER;
});
