import type { JsonObject } from '../json/parse-object.ts';
import { measureAnswer } from './measure-answer.ts';
import { TextMeter } from './text-meter.ts';

/** Output tokens of a whole answer: an estimate, and a minimum. */
export function writtenIn(body: JsonObject): {
  outputTokens: number;
  leastOutputTokens: number;
  tokensSinceReport: number;
} {
  const meter = new TextMeter();
  measureAnswer(body, meter);
  return { outputTokens: meter.tokens, leastOutputTokens: meter.leastTokens, tokensSinceReport: 0 };
}
