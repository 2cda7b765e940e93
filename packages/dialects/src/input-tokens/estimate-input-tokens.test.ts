import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { estimateInputTokens } from './estimate-input-tokens.ts';
import { countedTokens, getRequest } from './recorded-counts.fixture.ts';
import { STATED_BOUNDS, STATED_HALVES, STATED_REQUESTS } from './stated-bounds.fixture.ts';
import { getTokenWeights, type ModelFamily } from './token-weights.ts';

/** Inputs whose size no request states. */
const UNREPORTED: Readonly<Record<string, string>> = {
  'openai/chat-file-pdf': 'a page of a PDF',
  'anthropic/messages-citations-stream': 'instructions on how to cite',
  'openrouter/chat-reasoning-tool-call': 'OpenRouter asks Claude where its template for tools is shorter',
};

interface Measured {
  name: string;
  model: string;
  family: ModelFamily;
  counted: number;
  estimate: number;
  atMost: number;
}

const recordings = loadDialectRecordings(['openai-chat', 'anthropic-messages', 'openai-responses']);
const hasRecordings = recordings.source === 'recordings';
if (!hasRecordings) process.stdout.write(`${describeRecordings(recordings)}: no estimate was compared\n`);

async function measure(): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const each of recordings.cases.filter(({ status }) => status === 200)) {
    const counted = countedTokens(each);
    const request = getRequest(each);
    if (counted === null || request === null || request.hostedTools.length > 0 || each.name in UNREPORTED)
      continue;
    const { model } = request;
    const { tokens, atMost } = await estimateInputTokens(request, model);
    measured.push({
      name: each.name,
      model,
      family: getTokenWeights(model).family,
      counted,
      estimate: tokens,
      atMost,
    });
  }
  return measured;
}

const measured = hasRecordings ? await measure() : [];

function getTable(family: ModelFamily): string {
  const rows = measured.filter((each) => each.family === family);
  const lines = rows.map(({ name, model, counted, estimate }) => {
    const off = Math.round(((estimate - counted) / counted) * 100);
    return `${name.padEnd(52)} ${model.padEnd(46)} ${String(counted).padStart(6)} ${String(estimate).padStart(6)} ${String(off).padStart(5)} %`;
  });
  return [`${family}: ${rows.length} requests; counted, estimated, error`, ...lines, ''].join('\n');
}

describe.skipIf(!hasRecordings)('the estimate of input tokens, compared with what providers counted', () => {
  it.each(['openai', 'anthropic', 'other'] as const)(
    'is within its stated bound for models of %s',
    (family) => {
      process.stdout.write(`${getTable(family)}\n`);
      const rows = measured.filter((each) => each.family === family);
      expect(rows.length).toBeGreaterThan(20);
      const { share, tokens } = STATED_BOUNDS[family];
      const beyond = rows.filter(
        ({ counted, estimate }) => Math.abs(estimate - counted) > Math.max(tokens, share * counted),
      );
      expect(beyond).toEqual([]);
    },
  );

  it('is of as many requests as are stated', () => expect(measured).toHaveLength(STATED_REQUESTS));

  it.each(['openai', 'anthropic'] as const)('is as close as is stated for half of those of %s', (family) => {
    const rows = measured.filter((each) => each.family === family);
    const close = rows.filter(
      ({ counted, estimate }) => Math.abs(estimate - counted) <= STATED_HALVES[family] * counted,
    );
    expect(close.length).toBeGreaterThanOrEqual(rows.length / 2);
  });

  it('is never exceeded by more than its margin', () => {
    expect(measured.filter(({ counted, atMost }) => counted > atMost)).toEqual([]);
  });
});
