import type { Result } from '@tollgate/core/errors/errors';
import { EncodeReport } from '../../encode-report.ts';
import type { JsonObjectBytes, MemberEdits } from '../../json/edit-members.ts';
import { parseJson, type JsonObject } from '../../json/parse-object.ts';
import {
  difference,
  fitConversation,
  type FittedConversation,
  type QuirkTarget,
} from './fit-conversation.ts';
import { mapList } from './map-list.ts';
import { NO_QUIRKS } from './provider-quirks.ts';
import { getFits } from './quirk-table.ts';

/** The edits of a body, and the names of the members that are not sent. */
interface Applied {
  edits: MemberEdits;
  dropped: readonly string[];
}

/**
 * Adds the quirks of a provider of the same dialect to the edits of a caller's own body. What does not change keeps its
 * bytes, and a provider without quirks gets the given edits.
 * @param conversation as `fitConversation` returns it for the body; null: not computed yet
 * @returns `unsupported_parameter` if the provider does not take what the response depends on
 */
export function applyProviderQuirks(
  body: JsonObjectBytes,
  edits: MemberEdits,
  target: QuirkTarget,
  conversation: FittedConversation | null = null,
): Result<Applied> {
  const { quirks, model } = target;
  if (quirks === NO_QUIRKS) return { ok: true, value: { edits, dropped: NONE } };
  const report = new EncodeReport();
  const context = { model, report };
  const given = readMembers(body, edits, getFits(quirks).members);
  const members = { ...given };
  getFits(quirks).fitBody(members, context);
  const { messages, tools, dropped, refusal } = conversation ?? fitConversation(body, target);
  const error = report.refusal ?? refusal;
  if (error !== null) return { ok: false, error };
  const rewritten = rewriteTools(edits, (tool) => getFits(quirks).fitTool(tool, context));
  const inside = [
    ...(isEdited(edits, 'messages') ? NONE : messages),
    ...(isEdited(edits, 'tools') ? NONE : tools),
  ];
  const { drops, changes } = difference(given, members);
  const isSame = inside.length === 0 && drops.length === 0 && Object.keys(changes).length === 0;
  if (isSame && rewritten === null) return { ok: true, value: { edits, dropped: NONE } };
  const kept = Object.entries(edits.changes).filter(([name]) => !drops.includes(name));
  const all = { ...Object.fromEntries(kept), ...rewritten, ...changes };
  const names = [...report.dropped, ...dropped];
  return {
    ok: true,
    value: {
      edits: { drops: [...edits.drops, ...drops], changes: all, inside },
      dropped: names.length < 2 ? names : [...new Set(names)],
    },
  };
}

/** Members of a body, as they are after the edits. */
export function readMembers(
  body: JsonObjectBytes,
  { drops, changes }: MemberEdits,
  names: readonly string[],
): JsonObject {
  const members: JsonObject = {};
  for (const name of names) {
    const text =
      changes[name] ?? (drops.includes(name) || !body.mayHave(name) ? undefined : body.getText(name));
    if (text !== undefined) members[name] = parseJson(text);
  }
  return members;
}

/** Tools that another edit has replaced. @returns null if none are, or if they do not change */
function rewriteTools(
  { changes }: MemberEdits,
  fit: (tool: JsonObject) => JsonObject,
): Record<string, string> | null {
  if (changes['tools'] === undefined) return null;
  const given = { tools: parseJson(changes['tools']) };
  const fitted = mapList(given, 'tools', fit);
  return fitted === given ? null : difference(given, fitted).changes;
}

const isEdited = ({ drops, changes }: MemberEdits, name: string): boolean =>
  Object.hasOwn(changes, name) || drops.includes(name);

const NONE: readonly never[] = [];
