import { CALL_ID_MARKS, KIMI_ID_MARK, toBoundedCallId, unpackCallId } from '../call-id.ts';
import { EncodeReport } from '../encode-report.ts';
import type { JsonObjectBytes } from '../json/edit-members.ts';
import { fitEntries } from '../openai-chat/quirks/fit-conversation.ts';
import { findOpenAiRules } from '../model-rules/find-model-rules.ts';
import { MAX_CALL_ID } from '../openai-chat/encode-assistant.ts';
import { reasoningField } from '../openai-chat/quirks/reasoning.ts';
import { callSignatures, mapCallIds } from '../openai-chat/quirks/tool-calls.ts';
import type { FittedHistory, HistoryFit, HistoryTarget } from './history-target.ts';

/** How ids begin that are longer than OpenAI takes: those of vLLM, and those of Kimi, which contain the name of the tool. */
const LONG_IDS = ['chatcmpl-tool-', KIMI_ID_MARK];
/** The family of OpenAI's models with open weights. */
const OPEN_WEIGHTS = 'gpt-oss';
/** OpenAI takes neither reasoning nor signatures in messages. */
const QUIRKS = [reasoningField, callSignatures];

/**
 * Chat completions of OpenAI, and of custom servers. A custom server is sent all reasoning, except for models of OpenAI, which
 * take none.
 */
export const chatHistory: HistoryFit = {
  marks: listMarks({ dialect: 'openai-chat', model: '', isKnown: true, isAnthropic: false }),
  getMarks,
  fit,
};

/** Of the operator's models, so their number is limited. */
const marksByModel = { known: new Map<string, string[]>(), custom: new Map<string, string[]>() };

function getMarks(target: HistoryTarget): string[] {
  const known = marksByModel[target.isKnown ? 'known' : 'custom'];
  let marks = known.get(target.model);
  if (marks === undefined) {
    marks = listMarks(target);
    known.set(target.model, marks);
  }
  return marks;
}

function listMarks(target: HistoryTarget): string[] {
  const { model } = target;
  const ofQuirks = QUIRKS.flatMap(({ entries }) => entries?.marks('none', model) ?? []);
  return [
    ...CALL_ID_MARKS,
    ...(isOpenAi(target) ? LONG_IDS : []),
    ...(takesReasoning(target) ? [] : ofQuirks),
  ];
}

function isOpenAi({ model, isKnown }: HistoryTarget): boolean {
  return isKnown || findOpenAiRules(model) !== null;
}

/** Only servers of models with open weights take reasoning back, and such a server has no preset here. */
function takesReasoning({ model, isKnown }: HistoryTarget): boolean {
  const rules = findOpenAiRules(model);
  return !isKnown && (rules === null || rules.family === OPEN_WEIGHTS);
}

function fit(body: JsonObjectBytes, target: HistoryTarget): FittedHistory {
  const { model } = target;
  const isOpenAis = isOpenAi(target);
  const report = new EncodeReport();
  const edits = fitEntries(body, { name: 'messages', marks: getMarks(target) }, (message, index) => {
    const context = { model, report, at: `messages.${index}` };
    const named = mapCallIds(message, (id) => {
      const own = unpackCallId(id).id;
      return isOpenAis ? toBoundedCallId(own, MAX_CALL_ID) : own;
    });
    if (takesReasoning(target)) return named;
    return QUIRKS.reduce(
      (fitted, { entries }) => entries?.fitMessage(fitted, 'none', context) ?? fitted,
      named,
    );
  });
  return { edits, drops: [], dropped: report.dropped };
}
