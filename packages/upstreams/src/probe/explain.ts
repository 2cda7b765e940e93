import { z } from 'zod';
import type { ProviderCredential } from '../credential/credential.ts';
import type { HttpProvider } from '../provider.ts';

/** An error of a provider test: a code and a message. */
export interface ProbeDenial {
  code:
    | 'provider_unreachable'
    | 'provider_refused_credential'
    | 'provider_unexpected_answer'
    | 'model_needed';
  message: string;
}

/**
 * Explains a provider's refusal, followed by the provider's message.
 * @param model null: the models were listed
 */
export function explainStatus(
  { url, status, body }: { url: string; status: number; body: string },
  provider: HttpProvider,
  model: string | null,
): ProbeDenial {
  const said = withoutSecrets(getMessage(body), provider.credential);
  const code =
    status === 401 || status === 403 ? 'provider_refused_credential' : 'provider_unexpected_answer';
  const quote = said === '' ? '' : ` The provider says: ${said}`;
  return { code, message: `${url} answered ${status}${getMeaning(status, model)}.${quote}` };
}

function getMeaning(status: number, model: string | null): string {
  if (status === 401) return ': the key is not accepted';
  if (status === 403) return `: the key is not accepted, or may not use ${model ?? 'this'}`;
  if (status === 402) return ': the account at the provider has no credit';
  if (status === 404)
    return model === null
      ? ': the base URL is the part before /models, and usually ends in /v1'
      : `: it has no model ${model}, or the base URL is wrong`;
  if (status === 408 || status === 504) return ': the provider took too long';
  if (status === 429) return ': the key is valid, but has reached its limit';
  if (status >= 300 && status < 400) return ': it redirects; use the address that it redirects to';
  if (status >= 500) return ': the provider failed';
  return model === null ? '' : `: it rejects the request for ${model}`;
}

const errorSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/** The message of a JSON error, or the whole body. */
function getMessage(body: string): string {
  try {
    return errorSchema.safeParse(JSON.parse(body)).data ?? body;
  } catch {
    return body;
  }
}

/** Removes the key, which a provider may quote. */
function withoutSecrets(body: string, credential: ProviderCredential): string {
  const secrets = [...Object.values(credential), ...Object.values(credential.headers)];
  let text = body.trim().replaceAll(/\s+/g, ' ');
  for (const secret of secrets)
    if (typeof secret === 'string' && secret.length >= 8) text = text.replaceAll(secret, '…');
  return text.slice(0, 200);
}
