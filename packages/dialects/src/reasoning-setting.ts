import { asObject, type JsonObject } from './json/parse-object.ts';

/** `on`: the request asks for reasoning; `off`: it turns reasoning off. */
export type ReasoningSetting = 'on' | 'off';

/** The members that may set reasoning, in any dialect. */
export const REASONING_MEMBERS = [
  'reasoning_effort',
  'reasoning',
  'thinking',
  'chat_template_kwargs',
  'enable_thinking',
  'thinking_budget',
] as const;

/**
 * Reads whether a request turns reasoning on or off, in the members of any dialect or provider: OpenAI's `reasoning_effort`
 * and `reasoning`, OpenRouter's `reasoning`, Anthropic's `thinking`, and those of servers for open models. Members that only
 * show or hide reasoning count for nothing.
 * @returns `on` if members contradict each other, since a provider ignores unknown members; null: not set
 */
export function readReasoningSetting(body: JsonObject): ReasoningSetting | null {
  const { effort, max_tokens: tokens, enabled } = asObject(body['reasoning']) ?? {};
  const { type, budget_tokens: budget } = asObject(body['thinking']) ?? {};
  const template = asObject(body['chat_template_kwargs']) ?? {};
  const settings = [
    ofEffort(body['reasoning_effort']),
    ofEffort(effort),
    ofBudget(tokens),
    ofSwitch(enabled),
    typeof type === 'string' ? ofSwitch(type !== 'disabled') : ofBudget(budget),
    ofSwitch(body['enable_thinking']),
    ofBudget(body['thinking_budget']),
    ofEffort(template['reasoning_effort']),
    ofSwitch(template['enable_thinking']),
    ofSwitch(template['thinking']),
  ];
  if (settings.includes('on')) return 'on';
  return settings.includes('off') ? 'off' : null;
}

function ofEffort(value: unknown): ReasoningSetting | null {
  return typeof value === 'string' ? ofSwitch(value !== 'none') : null;
}

/** A negative budget lets the model decide. */
function ofBudget(value: unknown): ReasoningSetting | null {
  return typeof value === 'number' ? ofSwitch(value !== 0) : null;
}

function ofSwitch(value: unknown): ReasoningSetting | null {
  if (typeof value !== 'boolean') return null;
  return value ? 'on' : 'off';
}
