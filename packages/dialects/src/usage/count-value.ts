import type { Buffer } from 'node:buffer';
import { endOfValue } from '../json/end-of-value.ts';
import { parseJsonObject } from '../json/parse-object.ts';
import { measureAnswer, measureJson } from './measure-answer.ts';
import type { TextMeter } from './text-meter.ts';

/** Text in parts, as Mistral writes it, is rare, so it is parsed. @returns the offset behind the parts */
export function countParts(block: Buffer, start: number, meter: TextMeter): number {
  const end = endOfValue(block, start);
  const parsed = parseJsonObject(`{"content":${block.toString('utf8', start, end)}}`);
  if (parsed !== null) measureAnswer(parsed, meter);
  return end;
}

/** @returns the offset behind the input of a tool that is no string */
export function countInput(block: Buffer, start: number, meter: TextMeter): number {
  const end = endOfValue(block, start);
  const parsed = end - start > 2 ? parseJsonObject(`{"input":${block.toString('utf8', start, end)}}`) : null;
  if (parsed !== null) measureJson(parsed['input'], meter);
  return end;
}
