import { toToolUseId } from '../anthropic-messages/tool-use-id.ts';
import { CALL_ID_MARKS } from '../call-id.ts';
import { EncodeReport } from '../encode-report.ts';
import { editEntries, editEntryMembers, type EntryBytes } from '../json/edit-entries.ts';
import { JsonObjectBytes, type Edit } from '../json/edit-members.ts';
import { findMarks } from '../json/find-marks.ts';
import { asObject, parseJson, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { findClaudeRules } from '../model-rules/find-model-rules.ts';
import { BILLING_HEADER, BILLING_HEADER_NAME } from '../prompt-cache/billing-header.ts';
import { isForeignSignature, isOtherMakers, SIGNATURE_START } from '../thinking-signature.ts';
import { isSystemTurn, SYSTEM_MARKS, toUserTurn } from './system-turn.ts';
import { UNCHANGED, type FittedHistory, type HistoryFit, type HistoryTarget } from './history-target.ts';

/** Empty members that Anthropic never writes: reasoning without a signature, and citations of other providers. */
const EMPTY = ['signature', 'encrypted_index'].flatMap((name) =>
  [':', ': ', ' :', ' : '].map((colon) => `"${name}"${colon}""`),
);
const MARKS = [SIGNATURE_START, ...CALL_ID_MARKS];
const CLAUDE_MARKS = [...MARKS, ...EMPTY];
/** Of Claude models that refuse system messages. */
const OLD_CLAUDE_MARKS = [...CLAUDE_MARKS, ...SYSTEM_MARKS];
/** At Anthropic itself, and at other providers. */
const ANTHROPIC_MARKS = { newClaude: CLAUDE_MARKS, oldClaude: OLD_CLAUDE_MARKS, other: MARKS };
const HOSTED_MARKS = {
  newClaude: [...CLAUDE_MARKS, BILLING_HEADER],
  oldClaude: [...OLD_CLAUDE_MARKS, BILLING_HEADER],
  other: [...MARKS, BILLING_HEADER],
};

/** The Messages API. */
export const messagesHistory: HistoryFit = { marks: HOSTED_MARKS.oldClaude, getMarks, dependsOnTurns, fit };

function getMarks({ model, isAnthropic }: HistoryTarget): readonly string[] {
  const marks = isAnthropic ? ANTHROPIC_MARKS : HOSTED_MARKS;
  const rules = findClaudeRules(model);
  if (rules === null) return marks.other;
  return rules.takesSystemInside ? marks.newClaude : marks.oldClaude;
}

function dependsOnTurns(body: JsonObjectBytes, target: HistoryTarget): boolean {
  return mustOpenTurns(body, target) || (findClaudeRules(target.model) !== null && mayHaveOthers(body.bytes));
}

/** With a budget, a turn that called tools must open with its reasoning while their results are sent. */
function mustOpenTurns(body: JsonObjectBytes, { model }: HistoryTarget): boolean {
  return findClaudeRules(model)?.takesBudget === true && hasBudget(body);
}

const SIGNATURE = '"signature"';
/** A signature that no mark shows, of another maker that speaks this dialect. */
const OTHERS_SIGNATURE = /^\s*:\s*"[\da-f-]{16}/;
const MAX_START = 32;

/** Searches natively from one signature to the next. */
function mayHaveOthers(bytes: EntryBytes['bytes']): boolean {
  for (let at = bytes.indexOf(SIGNATURE); at >= 0; at = bytes.indexOf(SIGNATURE, at)) {
    at += SIGNATURE.length;
    if (OTHERS_SIGNATURE.test(bytes.toString('latin1', at, at + MAX_START))) return true;
  }
  return false;
}

function fit(body: JsonObjectBytes, target: HistoryTarget): FittedHistory {
  const marks = getMarks(target);
  const mustOpen = mustOpenTurns(body, target);
  const place = body.findPlace('messages');
  if (place === null) return UNCHANGED;
  const { bytes } = body;
  const report = new EncodeReport();
  const rules = findClaudeRules(target.model);
  const dropsReasoning = target.dropsReasoning === true;
  const refusesSystem = rules?.takesSystemInside === false;
  const rule = { isClaude: rules !== null, refusesSystem, dropsReasoning, report };
  const kept: EntryBytes[] = [];
  const { edits } = editEntries(bytes, place.start, (entry) => {
    const isKept =
      !dropsReasoning &&
      findMarks(entry.bytes, marks)?.length === 0 &&
      !(rule.isClaude && mayHaveOthers(entry.bytes));
    const changes = isKept ? [] : fitMessage(entry, rule);
    if (changes !== null) kept.push({ ...entry, bytes: mustOpen ? applied(entry, changes) : entry.bytes });
    return changes;
  });
  const drops = mustOpen && lacksReasoning(kept) ? ['thinking'] : [];
  for (const name of drops) report.drop(name);
  if (target.isAnthropic) return { edits, drops, dropped: report.dropped };
  const opening = fitSystem(body, report);
  return {
    edits: [...opening.edits, ...edits],
    drops: [...drops, ...opening.drops],
    dropped: report.dropped,
  };
}

/** Takes Claude Code's billing header out of the system prompt. */
function fitSystem(body: JsonObjectBytes, report: EncodeReport): { edits: Edit[]; drops: string[] } {
  const { bytes } = body;
  const place = body.findPlace('system');
  const nothing = { edits: [], drops: [] };
  if (place === null || bytes[place.start] !== LIST_START) return nothing;
  if (findMarks(bytes.subarray(place.start, place.end), [BILLING_HEADER])?.length === 0) return nothing;
  const { edits, isEmptied } = editEntries(bytes, place.start, (entry) => {
    const text = parseJsonObject(entry.bytes.toString('utf8'))?.['text'];
    return typeof text === 'string' && text.startsWith(BILLING_HEADER) ? null : [];
  });
  if (edits.length > 0) report.drop(BILLING_HEADER_NAME);
  return isEmptied ? { edits: [], drops: ['system'] } : { edits, drops: [] };
}

const LIST_START = 0x5b;

interface Rule {
  isClaude: boolean;
  /** System messages are refused among the others. */
  refusesSystem: boolean;
  dropsReasoning: boolean;
  report: EncodeReport;
}

/** @returns null if no block of the message stays */
function fitMessage(entry: EntryBytes, rule: Rule): Edit[] | null {
  if (rule.refusesSystem && isSystemTurn(entry)) return toUserTurn(entry);
  const { bytes } = entry;
  const place = new JsonObjectBytes(bytes).findPlace('content');
  if (place === null) return [];
  const { edits, isEmptied } = editEntries(bytes, place.start, (block) => fitBlock(block, rule));
  return isEmptied ? null : edits;
}

function fitBlock(entry: EntryBytes, { isClaude, dropsReasoning, report }: Rule): Edit[] | null {
  const block = parseJsonObject(entry.bytes.toString('utf8')) ?? {};
  switch (block['type']) {
    case 'thinking':
      return !dropsReasoning && isOwn(block['signature'], isClaude) ? [] : leaveOut(report);
    case 'redacted_thinking':
      return !dropsReasoning && isOwn(block['data'], isClaude) ? [] : leaveOut(report);
    case 'tool_use':
      return fitId(entry, 'id', block['id']);
    case 'tool_result':
      return fitId(entry, 'tool_use_id', block['tool_use_id']);
    case 'text':
      return fitCitations(entry, block);
    default:
      return [];
  }
}

/** A custom server may leave its reasoning unsigned. */
function isOwn(signature: unknown, isClaude: boolean): boolean {
  if (typeof signature !== 'string') return true;
  return !isForeignSignature(signature) && !(isClaude && (signature === '' || isOtherMakers(signature)));
}

function leaveOut(report: EncodeReport): null {
  report.drop('reasoning');
  return null;
}

function fitId(entry: EntryBytes, name: string, id: unknown): Edit[] {
  if (typeof id !== 'string' || !CALL_ID_MARKS.some((mark) => id.includes(mark))) return [];
  return editEntryMembers(entry, { [name]: toToolUseId(id) });
}

function fitCitations(entry: EntryBytes, { citations }: JsonObject): Edit[] {
  if (!Array.isArray(citations)) return [];
  const own = citations.filter((citation) => asObject(citation)?.['encrypted_index'] !== '');
  if (own.length === citations.length) return [];
  const block = new JsonObjectBytes(entry.bytes);
  if (own.length === 0) return block.listEdits({ drops: ['citations'], changes: {} });
  const start = block.findPlace('citations')?.start ?? 0;
  return editEntries(entry.bytes, start, ({ bytes }) =>
    parseJsonObject(bytes.toString('utf8'))?.['encrypted_index'] === '' ? null : [],
  ).edits;
}

function hasBudget(body: JsonObjectBytes): boolean {
  const text = body.mayHave('thinking') ? body.getText('thinking') : undefined;
  return text !== undefined && asObject(parseJson(text))?.['type'] === 'enabled';
}

/** A message after its edits. */
function applied({ bytes }: EntryBytes, inside: readonly Edit[]): EntryBytes['bytes'] {
  return inside.length === 0 ? bytes : new JsonObjectBytes(bytes).edit({ drops: [], changes: {}, inside });
}

/** True if the turn whose results are sent called tools without opening with its reasoning. */
function lacksReasoning(messages: readonly EntryBytes[]): boolean {
  const read = ({ bytes }: EntryBytes) => parseJsonObject(bytes.toString('utf8')) ?? {};
  let hasResults = false;
  let first: JsonObject | null = null;
  for (const entry of messages.toReversed()) {
    const message = read(entry);
    if (message['role'] === 'assistant') first = message;
    else if (first !== null) break;
    else hasResults ||= hasBlock(message, 'tool_result');
    if (first !== null && !hasResults) return false;
  }
  if (first === null) return false;
  const [block] = getBlocks(first);
  return block?.['type'] !== 'thinking' && block?.['type'] !== 'redacted_thinking';
}

const hasBlock = (message: JsonObject, type: string) =>
  getBlocks(message).some((block) => block['type'] === type);

function getBlocks({ content }: JsonObject): JsonObject[] {
  return Array.isArray(content) ? content.map((block) => asObject(block) ?? {}) : [];
}
