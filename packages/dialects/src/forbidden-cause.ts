import type { ProviderError } from './provider-error.ts';

/**
 * Codes of a 403 about the operator's account, key or network: OpenAI, Groq, Google, DashScope, AWS. General codes such as
 * `permission_denied` are none: xAI also uses them for rejected content.
 */
const ACCOUNT_CODES =
  /^(?:invalid_api_key|api_key_[a-z_]+|insufficient_quota|billing_[a-z_]+|account_[a-z_]+|access_terminated|missing_scopes?|insufficient_permissions?|ip_not_authorized|unsupported_country_region_territory|organization_[a-z_]+|project_[a-z_]+|model_permission_blocked_\w+|consumer_suspended|service_disabled|AccessDeniedException|UnrecognizedClientException|Arrearage|AccessDenied\.Unpurchased|AllocationQuota\.\w+)$/i;

/** An account, key or organization that is blocked as a whole, whatever the reason. */
const BLOCKED_ACCOUNT =
  /\b(?:account|organi[sz]ation|project|workspace|team|consumer|subscription|api[ _-]?key|access)\b[^.]{0,40}? (?:is|was|has been|have been) (?:\w+ )?(?:disabled|suspended|deactivated|terminated|revoked|banned|expired|leaked)/i;

/** What a provider writes about a request that it refuses to run. */
const REQUEST_MESSAGES =
  /\bflagged\b|\bmoderat|content[ _-]?(?:filter|policy|policies|violat)|(?:usage|safety|acceptable use) (?:polic|guideline)|guidelines|\bviolat|\bharmful\b|\binappropriate\b|\bprohibited\b|\bsensitive\b|\bsafety\b|\bunsafe\b|\bjailbreak|\bcopyright|\b(?:your|the|this) (?:prompt|input|message|messages|content|image)\b|context (?:length|window)|too (?:long|large)|max_tokens/i;

/** What a provider writes about the operator's account, key or network. */
const ACCOUNT_MESSAGES =
  /api[ _-]?key|\bcredentials?\b|\btoken (?:is |has )?(?:invalid|expired|missing|required)|security token|\bpermissions?\b|not (?:have|been granted) access|(?:no|lacks?) access to|not (?:authorized|allowed) to|\bunauthori[sz]ed\b|missing scopes?|\borgani[sz]ation\b|\bbilling\b|\bcredits?\b|\bquota\b|\bsubscription\b|\bpayment\b|\bbalance\b|must be verified|enabled? (?:this|the) model|has not been used in project|firewall|virtual network|public access/i;

/**
 * Text between quotation marks, which may come from the request. An apostrophe is none. A search ends at the next mark of
 * either side, or a text of opening marks would be read again from each of them.
 */
const QUOTED = /(?<![\p{L}\p{N}])(?:"[^"]*"|'[^']*'|`[^`]*`|“[^“”]*”|‘[^‘’]*’|«[^«»]*»)(?![\p{L}\p{N}])/gu;

/** What a provider's refusal is about; `unknown`: the error does not say. */
export type RefusalCause = 'account' | 'request' | 'unknown';

export const listQuotes = (message: string): string[] => message.match(QUOTED) ?? [];
export const withoutQuotes = (message: string): string => message.replaceAll(QUOTED, ' ');

/**
 * Why a provider forbids a request (403): because of the operator's account, or because of what the caller sent, such as a
 * prompt against its policy. Providers use the status, and often the same type, for both.
 */
export function findForbiddenCause({ code, message }: Pick<ProviderError, 'code' | 'message'>): RefusalCause {
  const said = withoutQuotes(message);
  if ((code !== null && ACCOUNT_CODES.test(code)) || BLOCKED_ACCOUNT.test(said)) return 'account';
  if (REQUEST_MESSAGES.test(said) || (code !== null && REQUEST_MESSAGES.test(code))) return 'request';
  return ACCOUNT_MESSAGES.test(said) ? 'account' : 'unknown';
}
