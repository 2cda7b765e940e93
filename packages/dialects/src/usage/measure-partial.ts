import type { Buffer } from 'node:buffer';
import { endOfString } from '../json/end-of-string.ts';
import { endOfValue } from '../json/end-of-value.ts';
import { parseJsonObject } from '../json/parse-object.ts';
import { readUsage } from './read-usage.ts';
import { TextMeter } from './text-meter.ts';
import type { UsageReport } from './usage-report.ts';

const KEYS =
  /"(?:(usage)|text|content|thinking|refusal|reasoning_content|reasoning|arguments|transcript|code)"\s*:\s*/g;
const QUOTE = 0x22;

/** No more than this is looked at, so that a large answer does not block others. */
const MAX_BYTES = 1024 * 1024;

export interface PartialAnswer {
  outputTokens: number;
  leastOutputTokens: number;
  /** null: no usage had come. */
  report: UsageReport | null;
}

/**
 * Measures the beginning of a whole answer of any dialect, of which the rest never came: what the model wrote of it, and
 * its usage where that had come. Of an answer above 1 MiB the rest is taken to be like its beginning.
 */
export function measurePartial(bytes: Buffer): PartialAnswer {
  if (bytes.length <= MAX_BYTES) return measure(bytes);
  const begun = measure(bytes.subarray(0, MAX_BYTES));
  const scale = bytes.length / MAX_BYTES;
  return {
    outputTokens: Math.ceil(begun.outputTokens * scale),
    leastOutputTokens: Math.floor(begun.leastOutputTokens * scale),
    report: begun.report,
  };
}

function measure(bytes: Buffer): PartialAnswer {
  const meter = new TextMeter();
  let report: UsageReport | null = null;
  // One character for each byte, so that offsets fit both.
  const text = bytes.toString('latin1');
  KEYS.lastIndex = 0;
  for (let found = KEYS.exec(text); found !== null; found = KEYS.exec(text)) {
    const start = KEYS.lastIndex;
    if (found[1] !== undefined) {
      const usage = parseJsonObject(bytes.toString('utf8', start, endOfValue(bytes, start)));
      if (usage !== null) report = readUsage(usage);
    } else if (bytes[start] === QUOTE) {
      const end = endOfString(bytes, start);
      const isClosed = bytes[end - 1] === QUOTE && end - 1 > start;
      meter.addJson(bytes, start + 1, isClosed ? end - 1 : end);
      KEYS.lastIndex = end;
    }
  }
  return { outputTokens: meter.tokens, leastOutputTokens: meter.leastTokens, report };
}
