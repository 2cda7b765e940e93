import { CLAUDE_FAMILIES } from './claude-families.ts';
import type { ClaudeRules, Family, ModelRules, OpenAiRules } from './model-rules.ts';
import { OPENAI_FAMILIES } from './openai-families.ts';

/** What hosts write before a name: `openai/`, `us.anthropic.`, `ft:`. */
const PREFIX = /^(?:[\w-]+[/:.])*?(?=(?:claude|gpt|codex|computer-use|o\d)(?:-|$))/;
/** Names are those of routes, so few are different. */
const MAX_CACHED = 1_000;

const cached = new Map<string, ModelRules | null>();

/**
 * Finds the rules of a model by the name that its provider knows.
 * @returns null for a model of another maker
 */
export function findModelRules(model: string): ModelRules | null {
  const known = cached.get(model);
  if (known !== undefined) return known;
  const name = model.toLowerCase().replace(PREFIX, '');
  const rules = name.startsWith('claude')
    ? findFamily(CLAUDE_FAMILIES, name.replaceAll('.', '-'))
    : findFamily(OPENAI_FAMILIES, name);
  if (cached.size >= MAX_CACHED) cached.clear();
  cached.set(model, rules);
  return rules;
}

function findFamily<Rules extends ModelRules>(
  families: readonly Family<Rules>[],
  name: string,
): Rules | null {
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** The same, only for OpenAI's models. */
export function findOpenAiRules(model: string): OpenAiRules | null {
  const rules = findModelRules(model);
  return rules?.maker === 'openai' ? rules : null;
}

/** The same, only for Anthropic's models. */
export function findClaudeRules(model: string): ClaudeRules | null {
  const rules = findModelRules(model);
  return rules?.maker === 'anthropic' ? rules : null;
}
