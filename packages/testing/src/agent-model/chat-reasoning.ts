import { asObject } from '../fake-provider/parse-completion-request.ts';
import type { ReasoningStyle } from './agent-script.ts';
import type { AgentAnswer, AgentCall } from './plan-answer.ts';
import {
  findHiddenReasoning,
  findMarkedReasoning,
  hideReasoning,
  isSigned,
  markReasoning,
  findPlace,
  signReasoning,
} from './reasoning-signature.ts';

type Json = Record<string, unknown>;

/** Signature that Google accepts for other models' calls (https://ai.google.dev/gemini-api/docs/thought-signatures). */
const SKIPS_CHECK = 'skip_thought_signature_validator';

/** A response's reasoning as OpenRouter's `reasoning_details`. */
export function reasoningDetails({ thinks, hides, calls }: AgentAnswer): Json[] {
  const count = (thinks === null ? 0 : 1) + (hides === null ? 0 : 1);
  const details: Json[] = [];
  if (thinks !== null) {
    const signature = signReasoning(thinks, `0/${count}`);
    details.push({
      type: 'reasoning.text',
      text: thinks,
      signature,
      format: 'anthropic-claude-v1',
      index: 0,
    });
  }
  if (hides !== null) {
    const data = hideReasoning(hides, `${count - 1}/${count}`);
    const id = calls[0]?.id ?? 'none';
    details.push({ type: 'reasoning.encrypted', data, id, format: 'google-gemini-v1', index: count - 1 });
  }
  return details;
}

/** DeepSeek's `reasoning_content`, with a checksum as its last word. */
export function reasoningContent({ thinks }: AgentAnswer): string | null {
  return thinks === null ? null : markReasoning(thinks);
}

/** Google signs only the first of several calls. */
export function signCall(call: AgentCall, index: number): Json {
  if (index > 0) return {};
  return { extra_content: { google: { thought_signature: signReasoning(call.id, 'call') } } };
}

/** A message's reasoning with valid signatures; for Google's hidden reasoning, the call's name. */
export function readChatReasoning(message: Json, style: ReasoningStyle): string[] {
  switch (style) {
    case 'none':
      return [];
    case 'gemini':
      return getCalls(message).flatMap((call) =>
        isSigned(getId(call), getSignature(call))
          ? [`before ${String(asObject(call['function'])['name'])}`]
          : [],
      );
    case 'openrouter':
      return getDetails(message).flatMap((detail) => {
        const text = detail['text'] ?? findHiddenReasoning(detail['data'])?.text;
        return typeof text === 'string' ? [text] : [];
      });
    case 'deepseek': {
      const text = findMarkedReasoning(message['reasoning_content']);
      return text === null ? [] : [text];
    }
  }
}

/**
 * Finds an error in an assistant message's reasoning.
 * @param isCurrent it follows the last user turn, where reasoning is required
 */
export function findReasoningViolation(
  message: Json,
  style: ReasoningStyle,
  { index, isCurrent }: { index: number; isCurrent: boolean },
): string | null {
  const calls = getCalls(message);
  const isNeeded = isCurrent && calls.length > 0;
  switch (style) {
    case 'none':
      return null;
    case 'gemini':
      return findSignatureViolation(calls, index, isNeeded);
    case 'openrouter': {
      const places = getDetails(message).map(getCheckedPlace);
      if (places.length === 0)
        return isNeeded ? 'reasoning_details: the reasoning of this turn is missing' : null;
      const whole = places.every((place, at) => place === `${at}/${places.length}`);
      return whole ? null : `messages.${index}: Invalid \`signature\` in \`thinking\` block`;
    }
    case 'deepseek': {
      const text = message['reasoning_content'] ?? null;
      if (text === null)
        return isNeeded
          ? `Missing \`reasoning_content\` field in the assistant message at message index ${index}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`
          : null;
      return findMarkedReasoning(text) === null ? 'The reasoning_content was changed' : null;
    }
  }
}

function findSignatureViolation(calls: readonly Json[], index: number, isNeeded: boolean): string | null {
  for (const [place, call] of calls.entries()) {
    const signature = getSignature(call);
    const name = String(asObject(call['function'])['name']);
    if (signature === undefined && place === 0 && isNeeded)
      return (
        'Function call is missing a thought_signature in functionCall parts. This is required for tools to work ' +
        'correctly, and missing thought_signature may lead to degraded model performance. Additional data, function ' +
        `call \`default_api:${name}\` , position ${index + 1}. Please refer to ` +
        'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.'
      );
    if (signature !== undefined && signature !== SKIPS_CHECK && !isSigned(getId(call), signature))
      return 'Corrupted thought signature.';
  }
  return null;
}

/** The place of reasoning in its turn; null: invalid signature. */
function getCheckedPlace(detail: Json): string | null {
  if (detail['type'] === 'reasoning.encrypted') return findHiddenReasoning(detail['data'])?.place ?? null;
  const { text, signature } = detail;
  return isSigned(String(text), signature) ? findPlace(String(signature)) : null;
}

/** A copy of a request without the provider's members that OpenAI lacks. */
export function withoutOwnMembers(body: Json, style: ReasoningStyle): Json {
  const copy: Json = structuredClone(body);
  for (const message of Array.isArray(copy['messages']) ? copy['messages'].map(asObject) : []) {
    if (style === 'gemini') for (const call of getCalls(message)) delete call['extra_content'];
    if (style === 'openrouter') for (const name of ['reasoning_details', 'reasoning']) delete message[name];
    if (style === 'deepseek') delete message['reasoning_content'];
  }
  if (style === 'openrouter') delete copy['reasoning'];
  return copy;
}

function getCalls(message: Json): Json[] {
  return Array.isArray(message['tool_calls']) ? message['tool_calls'].map(asObject) : [];
}

function getDetails(message: Json): Json[] {
  return Array.isArray(message['reasoning_details']) ? message['reasoning_details'].map(asObject) : [];
}

function getId(call: Json): string {
  return String(call['id']);
}

function getSignature(call: Json): unknown {
  return asObject(asObject(call['extra_content'])['google'])['thought_signature'];
}
