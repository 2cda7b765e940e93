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
  const said = body.trim() === '' ? '' : ` It says: ${withoutSecrets(body, provider.credential)}`;
  const code =
    status === 401 || status === 403 ? 'provider_refused_credential' : 'provider_unexpected_answer';
  return { code, message: `${url} answered ${status}${getMeaning(status, model)}.${said}` };
}

function getMeaning(status: number, model: string | null): string {
  if (status === 401) return ': the key is not accepted';
  if (status === 403) return `: the key is not accepted, or may not use ${model ?? 'this'}`;
  if (status === 402) return ': the account there has no money left';
  if (status === 404)
    return model === null
      ? ': the base URL is what comes before /models, and mostly ends with /v1'
      : `: it has no model ${model}, or the base URL is not right`;
  if (status === 408 || status === 504) return ': it took too long';
  if (status === 429) return ': the key is valid, but its limit is reached now';
  if (status >= 300 && status < 400) return ': it sends elsewhere; give the address that it names';
  if (status >= 500) return ': the provider itself is not well';
  return model === null ? '' : `: it does not take the request for ${model}`;
}

/** Removes the key, which a provider may quote. */
function withoutSecrets(body: string, credential: ProviderCredential): string {
  const secrets = [...Object.values(credential), ...Object.values(credential.headers)];
  let text = body.trim().replaceAll(/\s+/g, ' ');
  for (const secret of secrets)
    if (typeof secret === 'string' && secret.length >= 8) text = text.replaceAll(secret, '…');
  return text.slice(0, 200);
}
