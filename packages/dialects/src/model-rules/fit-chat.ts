import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { DEFAULT_VERBOSITY, leaveOut, lowerLimit, type ModelFit } from './model-fit.ts';
import type { OpenAiRules } from './model-rules.ts';
import { getNearestEffort, readEffort } from './nearest-effort.ts';

const OLD_LIMIT = 'max_tokens';
const LIMIT = 'max_completion_tokens';
const EFFORT = 'reasoning_effort';
const VERBOSITY = 'verbosity';

/** Chat completions of OpenAI's models (https://developers.openai.com/api/docs/guides/reasoning). */
export const chatFit: ModelFit<OpenAiRules> = {
  members: [
    EFFORT,
    OLD_LIMIT,
    LIMIT,
    'temperature',
    'top_p',
    'logprobs',
    'top_logprobs',
    'stop',
    'presence_penalty',
    'frequency_penalty',
    'logit_bias',
    'tools',
    'functions',
    VERBOSITY,
  ],
  fit(body, rules, report) {
    fitEffort(body, rules, report);
    lowerLimit(body, OLD_LIMIT, rules, report);
    lowerLimit(body, LIMIT, rules, report);
    if (!rules.takesVerbosity && body[VERBOSITY] !== DEFAULT_VERBOSITY) leaveOut(body, VERBOSITY, report);
    if (!rules.takesOldSettings) fitOldSettings(body, rules, report);
  },
};

function fitEffort(body: JsonObject, rules: OpenAiRules, report: EncodeReport): void {
  const { efforts } = rules;
  if (efforts === null) return;
  if (efforts.length === 0) return leaveOut(body, EFFORT, report);
  const given = readEffort(body[EFFORT]);
  // Only the Responses API takes `max`.
  const taken = efforts.filter((effort) => effort !== 'max');
  const isForcedOff =
    rules.chat === 'tools without reasoning' &&
    efforts.includes('none') &&
    hasFunctions(body) &&
    (given ?? rules.defaultEffort) !== 'none';
  const effort = isForcedOff ? 'none' : given === null ? null : getNearestEffort(given, taken);
  if (effort === null || effort === given) return;
  body[EFFORT] = effort;
  report.drop(EFFORT);
}

/** True if the request offers functions. */
export function hasFunctions({ tools, functions }: JsonObject): boolean {
  return [tools, functions].some((list) => Array.isArray(list) && list.length > 0);
}

/** The settings that models refuse if they reason. */
function fitOldSettings(body: JsonObject, rules: OpenAiRules, report: EncodeReport): void {
  const effort = readEffort(body[EFFORT]) ?? rules.defaultEffort;
  if (rules.sampling !== 'without reasoning' || effort !== 'none') {
    // The default itself is accepted.
    for (const name of ['temperature', 'top_p']) if (body[name] !== 1) leaveOut(body, name, report);
    leaveOut(body, 'logprobs', report, body['logprobs'] === false);
    leaveOut(body, 'top_logprobs', report, body['top_logprobs'] === 0);
  }
  for (const name of ['presence_penalty', 'frequency_penalty'])
    if (body[name] !== 0) leaveOut(body, name, report);
  leaveOut(body, 'logit_bias', report, isEmpty(body['logit_bias']));
  leaveOut(body, 'stop', report, isEmpty(body['stop']));
  const limit = body[OLD_LIMIT];
  if (limit === undefined) return;
  delete body[OLD_LIMIT];
  if (limit !== null) body[LIMIT] ??= limit;
}

/** True for a list or an object without entries. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
