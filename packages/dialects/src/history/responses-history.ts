import { CALL_ID_MARKS, KIMI_ID_MARK, toBoundedCallId, unpackCallId } from '../call-id.ts';
import { EncodeReport } from '../encode-report.ts';
import { CONFIGURATION_UPDATE, isConfigurationUpdate } from '../openai-responses/configuration-update.ts';
import { editEntries, editEntryMembers, type EntryBytes } from '../json/edit-entries.ts';
import { JsonObjectBytes, type Edit } from '../json/edit-members.ts';
import { findMarks } from '../json/find-marks.ts';
import { parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { findOpenAiRules } from '../model-rules/find-model-rules.ts';
import { fitReasoning as fitReasoningSetting } from '../model-rules/fit-responses.ts';
import type { OpenAiRules } from '../model-rules/model-rules.ts';
import { MAX_CALL_ID } from '../openai-responses/encode-input.ts';
import {
  decodeReasoningItem,
  ENCRYPTED_MARKS,
  encodeRequestReasoning,
} from '../openai-responses/reasoning-item.ts';
import { UNCHANGED, type FittedHistory, type HistoryFit, type HistoryTarget } from './history-target.ts';

const MARKS = [...ENCRYPTED_MARKS, ...CALL_ID_MARKS];
/** Nothing is stored at OpenAI, which refuses reasoning that is not encrypted. */
const OPENAI_MARKS = [...MARKS, KIMI_ID_MARK, '"reasoning"', `"${CONFIGURATION_UPDATE}`];

/** The Responses API. */
export const responsesHistory: HistoryFit = { marks: OPENAI_MARKS, getMarks, fit };

function getMarks({ model }: HistoryTarget): readonly string[] {
  return findOpenAiRules(model) === null ? MARKS : OPENAI_MARKS;
}

function fit(body: JsonObjectBytes, target: HistoryTarget): FittedHistory {
  const rules = findOpenAiRules(target.model);
  const marks = getMarks(target);
  const place = body.findPlace('input');
  if (place === null) return UNCHANGED;
  const report = new EncodeReport();
  if (target.dropsReasoning === true) {
    const { edits } = editEntries(body.bytes, place.start, (entry) => dropReasoning(entry, rules, report));
    return { edits, drops: [], dropped: report.dropped };
  }
  if (findMarks(body.bytes.subarray(place.start, place.end), marks)?.length === 0) return UNCHANGED;
  const { edits } = editEntries(body.bytes, place.start, (entry) =>
    findMarks(entry.bytes, marks)?.length === 0 ? [] : fitItem(entry, rules, report),
  );
  return { edits, drops: [], dropped: report.dropped };
}

function dropReasoning(entry: EntryBytes, rules: OpenAiRules | null, report: EncodeReport): Edit[] | null {
  if (parseJsonObject(entry.bytes.toString('utf8'))?.['type'] !== 'reasoning')
    return fitItem(entry, rules, report);
  report.drop('reasoning');
  return null;
}

/** @param rules null: the model is not known to be one of OpenAI */
function fitItem(entry: EntryBytes, rules: OpenAiRules | null, report: EncodeReport): Edit[] | null {
  const item = parseJsonObject(entry.bytes.toString('utf8')) ?? {};
  if (item['type'] === 'reasoning') return fitReasoning(entry, item, { isOpenAi: rules !== null, report });
  if (isConfigurationUpdate(item)) return rules === null ? [] : fitUpdate(entry, item, { rules, report });
  const id = item['call_id'];
  if (typeof id !== 'string') return [];
  const isLong = rules !== null && id.length > MAX_CALL_ID;
  if (!isLong && !CALL_ID_MARKS.some((mark) => id.includes(mark))) return [];
  return editEntryMembers(entry, { call_id: toBoundedCallId(unpackCallId(id).id, MAX_CALL_ID) });
}

/** Fits the settings of an item as the request's own. */
function fitUpdate(
  entry: EntryBytes,
  item: JsonObject,
  { rules, report }: { rules: OpenAiRules; report: EncodeReport },
): Edit[] {
  const fitted = { ...item };
  const changes = new EncodeReport();
  fitReasoningSetting(fitted, rules, changes);
  for (const name of changes.dropped) report.drop(`${CONFIGURATION_UPDATE}.${name}`);
  if (fitted['reasoning'] === item['reasoning']) return [];
  if (fitted['reasoning'] !== undefined) return editEntryMembers(entry, { reasoning: fitted['reasoning'] });
  return new JsonObjectBytes(entry.bytes).listEdits({ drops: ['reasoning'], changes: {} });
}

function fitReasoning(
  entry: EntryBytes,
  item: JsonObject,
  { isOpenAi, report }: { isOpenAi: boolean; report: EncodeReport },
): Edit[] | null {
  const encrypted = item['encrypted_content'] ?? '';
  if (typeof encrypted !== 'string') return [];
  const isMarked = ENCRYPTED_MARKS.some((mark) => encrypted.startsWith(mark));
  if (!isMarked && (encrypted !== '' || !isOpenAi)) return [];
  const part = isMarked ? decodeReasoningItem(item) : null;
  const own = part === null ? null : encodeRequestReasoning(part);
  if (own !== null) {
    const { id, encrypted_content: data } = own;
    return editEntryMembers(entry, { ...(id === undefined ? {} : { id }), encrypted_content: data });
  }
  report.drop('reasoning');
  return null;
}
