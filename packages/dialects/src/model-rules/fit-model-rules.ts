import type { Dialect } from '@tollgate/core/models/dialect';
import { EncodeReport } from '../encode-report.ts';
import type { MemberEdits } from '../json/edit-members.ts';
import { parseJson, type JsonObject } from '../json/parse-object.ts';
import { LIMIT_MEMBERS } from '../limit-members.ts';
import type { ProviderQuirks } from '../openai-chat/quirks/provider-quirks.ts';
import { difference } from '../openai-chat/quirks/fit-conversation.ts';
import { findClaudeRules, findOpenAiRules } from './find-model-rules.ts';
import { chatFit } from './fit-chat.ts';
import { messagesFit } from './fit-messages.ts';
import { responsesCountFit, responsesFit } from './fit-responses.ts';
import type { ModelFit } from './model-fit.ts';
import type { ModelRules } from './model-rules.ts';

/** A provider's model, and the dialect in which it is sent a request. */
export interface ModelTarget {
  dialect: Dialect;
  /** The provider's name for the model. */
  model: string;
  /** The quirks of a provider of `openai-chat`. */
  quirks: Pick<ProviderQuirks, 'maxTokensMember' | 'reasoningMember'>;
  /** True: the request counts its input and generates nothing. */
  isCount?: boolean;
}

/** The rules of a model for the members of a body. */
interface BoundFit {
  members: readonly string[];
  fit(body: JsonObject, report: EncodeReport): void;
}

/**
 * Changes the members of a body that the gateway wrote, so that its model accepts it.
 * @param body is changed, except the inside of its values
 */
export function fitModelRules(body: JsonObject, target: ModelTarget, report: EncodeReport): void {
  findFit(target)?.fit(body, report);
}

/**
 * Adds to the edits of a caller's own body what its model's rules require. A body that needs nothing gets the given edits.
 * @param members of the body, before the edits; the conversation may be missing
 * @returns the edits, and the names of the members that are not sent as given
 */
export function applyModelRules(
  members: JsonObject,
  edits: MemberEdits,
  target: ModelTarget,
): { edits: MemberEdits; dropped: readonly string[] } {
  const bound = findFit(target);
  if (bound === null) return { edits, dropped: NONE };
  const given: JsonObject = {};
  for (const name of bound.members) {
    const text = edits.changes[name];
    if (text !== undefined) given[name] = parseJson(text);
    else if (members[name] !== undefined && !edits.drops.includes(name)) given[name] = members[name];
  }
  const fitted = { ...given };
  const report = new EncodeReport();
  bound.fit(fitted, report);
  const { drops, changes } = difference(given, fitted);
  if (drops.length === 0 && Object.keys(changes).length === 0) return { edits, dropped: NONE };
  const kept = Object.entries(edits.changes).filter(([name]) => !drops.includes(name));
  return {
    edits: {
      ...edits,
      drops: [...edits.drops, ...drops],
      changes: { ...Object.fromEntries(kept), ...changes },
    },
    // The gateway's own limit is not the caller's.
    dropped: report.dropped.filter((name) => name in members || !LIMIT_MEMBERS.includes(name)),
  };
}

/** @returns null if nothing is known of the model in this dialect */
function findFit({ dialect, model, quirks, isCount = false }: ModelTarget): BoundFit | null {
  switch (dialect) {
    case 'openai-chat':
      // A provider with other settings for all models changes them for each model itself.
      return takesOpenAiSettings(quirks) ? bind(chatFit, findOpenAiRules(model)) : null;
    case 'openai-responses':
      return bind(isCount ? responsesCountFit : responsesFit, findOpenAiRules(model));
    case 'anthropic-messages':
      return bind(messagesFit, findClaudeRules(model));
  }
}

/** True if the rules of OpenAI's models apply to requests with these quirks. */
export function takesOpenAiSettings({ maxTokensMember, reasoningMember }: ModelTarget['quirks']): boolean {
  return maxTokensMember === 'max_completion_tokens' && reasoningMember === 'reasoning_effort';
}

function bind<Rules extends ModelRules>(fit: ModelFit<Rules>, rules: Rules | null): BoundFit | null {
  if (rules === null) return null;
  return { members: fit.members, fit: (body, report) => fit.fit(body, rules, report) };
}

const NONE: readonly never[] = [];
