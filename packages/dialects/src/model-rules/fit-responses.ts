import type { EncodeReport } from '../encode-report.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { INCLUDE_LOGPROBS, INCLUDE_REASONING } from '../openai-responses/decode-settings.ts';
import { DEFAULT_VERBOSITY, leaveOut, lowerLimit, type ModelFit } from './model-fit.ts';
import type { OpenAiRules } from './model-rules.ts';
import { getNearestEffort, readEffort } from './nearest-effort.ts';

const LIMIT = 'max_output_tokens';

/**
 * The Responses API with OpenAI's models (https://developers.openai.com/api/docs/guides/reasoning). Nothing is kept at the
 * provider, so models that reason are asked for their reasoning, encrypted: without it, a caller could not continue the
 * conversation. Others refuse to be asked. Log probabilities are also requested by `include`, and refused while a model reasons.
 */
export const responsesFit: ModelFit<OpenAiRules> = {
  members: ['reasoning', 'include', LIMIT, 'temperature', 'top_p', 'top_logprobs', 'text'],
  fit(body, rules, report) {
    fitReasoning(body, rules, report);
    fitInclude(body, rules, report);
    fitSampling(body, rules, report);
    lowerLimit(body, LIMIT, rules, report);
    fitVerbosity(body, rules, report);
  },
};

/** A request that only counts its input takes neither `include` nor what decides about the output. */
export const responsesCountFit: ModelFit<OpenAiRules> = {
  members: ['reasoning'],
  fit: fitReasoning,
};

/** @param body the request, or an item that updates its configuration */
export function fitReasoning(
  body: JsonObject,
  { efforts }: Pick<OpenAiRules, 'efforts'>,
  report: EncodeReport,
): void {
  const reasoning = asObject(body['reasoning']);
  if (efforts === null || reasoning === null) return;
  if (efforts.length === 0)
    return leaveOut(
      body,
      'reasoning',
      report,
      Object.values(reasoning).every((value) => value === null),
    );
  const given = readEffort(reasoning['effort']);
  const effort = given === null ? null : getNearestEffort(given, efforts);
  if (effort === given) return;
  body['reasoning'] = { ...reasoning, effort };
  report.drop('reasoning.effort');
}

function fitInclude(body: JsonObject, rules: OpenAiRules, report: EncodeReport): void {
  const given = body['include'] ?? [];
  if (!Array.isArray(given)) return;
  const { reasons } = rules;
  const refused: unknown[] = [
    ...(reasons ? [] : [INCLUDE_REASONING]),
    ...(takesSampling(body, rules) ? [] : [INCLUDE_LOGPROBS]),
  ];
  const kept = given.filter((name) => !refused.includes(name));
  const include = reasons && !kept.includes(INCLUDE_REASONING) ? [...kept, INCLUDE_REASONING] : kept;
  if (kept.length < given.length) report.drop('include');
  else if (include === kept) return;
  if (include.length === 0) delete body['include'];
  else body['include'] = include;
}

/** Models that reason refuse the defaults, too. */
function fitSampling(body: JsonObject, rules: OpenAiRules, report: EncodeReport): void {
  if (takesSampling(body, rules)) return;
  for (const name of ['temperature', 'top_p']) leaveOut(body, name, report, body[name] === 1);
  leaveOut(body, 'top_logprobs', report, body['top_logprobs'] === 0);
}

/** @param body with its effort already fitted */
function takesSampling(body: JsonObject, rules: OpenAiRules): boolean {
  const effort = readEffort(asObject(body['reasoning'])?.['effort']) ?? rules.defaultEffort;
  return rules.takesOldSettings || (rules.sampling === 'without reasoning' && effort === 'none');
}

function fitVerbosity(body: JsonObject, { takesVerbosity }: OpenAiRules, report: EncodeReport): void {
  const { verbosity, ...text } = asObject(body['text']) ?? {};
  if (takesVerbosity || (verbosity ?? DEFAULT_VERBOSITY) === DEFAULT_VERBOSITY) return;
  if (Object.keys(text).length === 0) delete body['text'];
  else body['text'] = text;
  report.drop('text.verbosity');
}
