import type { Sampling } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import type { EncodeReport } from '../encode-report.ts';
import type { ClaudeRules } from '../model-rules/model-rules.ts';

/**
 * Writes the sampling parameters. Temperature goes from 0 to 1 here and to 2 elsewhere: a higher value becomes 1,
 * and is named. Only one of temperature and `top_p` is allowed, and with thinking hardly any; a value that is the
 * default anyway is left out silently.
 */
export function encodeSampling(
  sampling: Sampling,
  rules: Pick<ClaudeRules, 'sampling'>,
  thinks: boolean,
  report: EncodeReport,
): JsonObject {
  const { temperature, topP, topK, logitBias } = sampling;
  for (const [name, value] of [
    ['presence_penalty', sampling.presencePenalty],
    ['frequency_penalty', sampling.frequencyPenalty],
  ] as const) {
    if (value !== null && value !== 0) report.drop(name);
  }
  if (sampling.seed !== null) report.drop('seed');
  if (logitBias !== null && Object.keys(logitBias).length > 0) report.refuse('logit_bias', 'logit_bias');
  const takesSampling = rules.sampling !== 'none';
  const body: JsonObject = {};
  if (temperature !== null) {
    if (takesSampling && !thinks) body['temperature'] = Math.min(temperature, 1);
    if (temperature !== 1 && body['temperature'] !== temperature) report.drop('temperature');
  }
  if (topP !== null) {
    const isAlone = temperature === null || temperature === 1;
    const fits = takesSampling && isAlone && (!thinks || topP >= 0.95);
    if (fits) {
      body['top_p'] = topP;
      delete body['temperature'];
    } else if (topP !== 1) report.drop('top_p');
  }
  // Providers that accept a negative value read it as no limit.
  if (topK !== null && topK >= 0) {
    if (takesSampling && !thinks) body['top_k'] = topK;
    else report.drop('top_k');
  }
  return body;
}
