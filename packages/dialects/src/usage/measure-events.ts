import type { Buffer } from 'node:buffer';
import { asObject, parseJsonObject } from '../json/parse-object.ts';
import { createSseParser } from '../sse/parse-events.ts';
import { measureAnswer } from './measure-answer.ts';
import type { PartialAnswer } from './measure-partial.ts';
import { readAnyUsage } from './read-choice-usage.ts';
import { TextMeter } from './text-meter.ts';
import { ToolTally } from './tool-tally.ts';
import type { UsageReport } from './usage-report.ts';

/** Measures an event stream that was sent instead of a whole response: its usage, and what the chunks of chat completions say. */
export function measureEvents(bytes: Buffer): PartialAnswer {
  const parser = createSseParser();
  const meter = new TextMeter();
  const tools = new ToolTally();
  let report: UsageReport | null = null;
  for (const { data } of [...parser.push(bytes), ...parser.finish()]) {
    const event = parseJsonObject(data);
    if (event === null) continue;
    report = readAnyUsage(event, report) ?? report;
    const delta = asObject(event['delta']);
    measureAnswer(delta === null ? event : { content: [delta] }, meter);
    tools.readEvent(event);
  }
  if (report?.hasOutput === true) tools.noteReported();
  return { outputTokens: meter.tokens, leastOutputTokens: meter.leastTokens, report, tools };
}
