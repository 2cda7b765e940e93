import { parseBaseUrl } from '@tollgate/upstreams/presets/parse-base-url';
import { z } from 'zod';

/** The address of a provider as typed; without a slash at the end. */
export const baseUrlOption = z.string().transform((text, context) => {
  const parsed = parseBaseUrl(text);
  if (parsed.ok) return parsed.baseUrl;
  context.addIssue({ code: 'custom', message: parsed.reason });
  return z.NEVER;
});
