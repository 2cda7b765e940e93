import type { Buffer } from 'node:buffer';
import { endOfString } from '../json/end-of-string.ts';
import { endOfValue } from '../json/end-of-value.ts';
import { parseJsonObject } from '../json/parse-object.ts';
import { measureAnswer, measureJson } from './measure-answer.ts';
import type { TextMeter } from './text-meter.ts';

const QUOTE = 0x22;
const BRACKET = 0x5b;
/** Members with the input of a tool, which may be an object. */
const INPUT_KEYS: ReadonlySet<string> = new Set(['"input"', '"arguments"']);

/**
 * Measures the value of a member with text of the model.
 * @param key of the member, with its quotes
 * @param start the offset of its value
 * @returns the offset after the text or the JSON, if the value is one, else `start`
 */
export function countValue(
  block: Buffer,
  { key, start }: { key: string; start: number },
  meter: TextMeter,
): number {
  if (INPUT_KEYS.has(key) && block[start] !== QUOTE) return countInput(block, start, meter);
  if (block[start] === BRACKET) return countParts(block, start, meter);
  if (block[start] !== QUOTE) return start;
  const end = endOfString(block, start);
  meter.addJson(block, start + 1, end - 1);
  return end;
}

/** Text in parts, as Mistral writes it, is rare, so it is parsed. @returns the offset behind the parts */
function countParts(block: Buffer, start: number, meter: TextMeter): number {
  const end = endOfValue(block, start);
  const parsed = parseJsonObject(`{"content":${block.toString('utf8', start, end)}}`);
  if (parsed !== null) measureAnswer(parsed, meter);
  return end;
}

/** @returns the offset behind the input of a tool that is no string */
function countInput(block: Buffer, start: number, meter: TextMeter): number {
  const end = endOfValue(block, start);
  const parsed = end - start > 2 ? parseJsonObject(`{"input":${block.toString('utf8', start, end)}}`) : null;
  if (parsed !== null) measureJson(parsed['input'], meter);
  return end;
}
