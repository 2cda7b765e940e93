import type { CompletionRequest, ReasoningEffort } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { findLastTurn } from '../last-turn.ts';
import { isOwnReasoning, isReasoning } from '../thinking-signature.ts';
import type { EncodeReport } from '../encode-report.ts';
import type { ClaudeRules } from '../model-rules/model-rules.ts';
import { getEffortOfShare, getNearestEffort } from '../model-rules/nearest-effort.ts';

export interface EncodedReasoning {
  /** The value of `thinking`; null: left to the model. */
  thinking: JsonObject | null;
  /** The value of `output_config.effort`. */
  effort: string | null;
}

const NOTHING: EncodedReasoning = { thinking: null, effort: null };
const OFF: EncodedReasoning = { thinking: { type: 'disabled' }, effort: null };
const MIN_BUDGET = 1024;
/** Past this the provider advises against answering while a client waits. */
const MAX_BUDGET = 32_000;
/** Share of the output that an effort may spend on reasoning, if the model needs a budget. */
const SHARE_OF_OUTPUT: Record<Exclude<ReasoningEffort, 'none'>, number> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
  max: 0.95,
};

/**
 * Writes how much the model thinks: as an effort if it thinks adaptively, as a budget if it needs one. The setting is
 * left out, and named, if the provider would refuse it: with a forced tool, in an answer too short for the
 * smallest budget, and with a budget within a tool loop whose reasoning the caller did not keep.
 */
export function encodeReasoning(
  request: Pick<CompletionRequest, 'reasoning' | 'toolChoice' | 'messages'>,
  rules: ClaudeRules,
  maxTokens: number,
  report: EncodeReport,
): EncodedReasoning {
  const { reasoning, toolChoice } = request;
  if (reasoning === null) return NOTHING;
  if (reasoning.type === 'off' || (reasoning.type === 'effort' && reasoning.effort === 'none')) return OFF;
  const isForced = toolChoice?.type === 'required' || toolChoice?.type === 'tool';
  if (isForced && rules.takesForcedTools) return leaveOut(report);
  const wanted = reasoning.type === 'budget' ? null : (reasoning.effort ?? null);
  const adaptive = (effort: ReasoningEffort | null): EncodedReasoning => ({
    thinking: { type: 'adaptive', ...(rules.takesBudget ? {} : { display: 'summarized' }) },
    effort: effortFor(effort, rules),
  });
  if (reasoning.type === 'budget' && !rules.takesBudget)
    return adaptive(getEffortOfShare(reasoning.tokens / maxTokens));
  if (reasoning.type !== 'budget' && rules.thinksAdaptively) return adaptive(wanted);
  const share = SHARE_OF_OUTPUT[wanted === null || wanted === 'none' ? 'high' : wanted];
  const tokens =
    reasoning.type === 'budget' ? reasoning.tokens : Math.min(Math.floor(maxTokens * share), MAX_BUDGET);
  const budget = Math.min(Math.max(tokens, MIN_BUDGET), maxTokens - 1);
  if (budget < MIN_BUDGET || lacksReasoning(request.messages)) return leaveOut(report);
  return { thinking: { type: 'enabled', budget_tokens: budget }, effort: null };
}

function leaveOut(report: EncodeReport): EncodedReasoning {
  report.drop('reasoning_effort');
  return NOTHING;
}

function effortFor(effort: ReasoningEffort | null, { efforts }: ClaudeRules): string | null {
  if (effort === null || effort === 'none') return null;
  return getNearestEffort(effort, efforts ?? [effort]) ?? null;
}

/** With a budget, a turn that called tools must open with its reasoning when their results are given back. */
function lacksReasoning(messages: CompletionRequest['messages']): boolean {
  const turn = findLastTurn(messages);
  if (turn === null || !turn.hasResults) return false;
  const first = turn.parts.find((part) => !isReasoning(part) || isOwnReasoning(part));
  return turn.parts.some(({ type }) => type === 'tool_call') && (first === undefined || !isReasoning(first));
}
