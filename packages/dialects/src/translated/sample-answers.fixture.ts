/** Answers of each kind that a model can give, for callers of each dialect. */
import type { AssistantPart, Citation } from '@tollgate/core/completion/content';
import type { CompletionResponse, CompletionUsage, FinishReason } from '@tollgate/core/completion/response';
import {
  arbitraryChoice,
  arbitraryCompletionResponse,
  arbitraryUsage,
} from '@tollgate/testing/arbitrary-completion';
import fc from 'fast-check';
import { encodeSignature } from '../thinking-signature.ts';
import { toStream } from './to-stream.fixture.ts';
import { SAMPLE_REQUESTS } from './sample-requests.fixture.ts';
import {
  DIALECTS,
  translateStream,
  translateWhole,
  type TranslatedAnswer,
} from './translated-answer.fixture.ts';

const USAGE: CompletionUsage = {
  inputTokens: 12,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 7,
  reasoningTokens: null,
  cacheWrite1hTokens: 0,
};

const text = (value: string, citations: Citation[] = []): AssistantPart => ({
  type: 'text',
  text: value,
  citations,
  cache: null,
});
const call = (id: string, name: string, input: string): AssistantPart => ({
  type: 'tool_call',
  id,
  name,
  arguments: input,
  cache: null,
});
const cite = (fields: Partial<Citation>): Citation => ({
  citedText: null,
  title: null,
  url: null,
  start: null,
  end: null,
  original: {},
  ...fields,
});
const chance = (token: string) => ({ token, logprob: -0.25, bytes: [...Buffer.from(token)] });

const ENCRYPTED = encodeSignature({
  type: 'reasoning.encrypted',
  data: 'c2VhbGVk',
  id: 'rs_0001',
  format: 'openai-responses-v1',
});

const FINISHES: readonly FinishReason[] = [
  { type: 'stop' },
  { type: 'stop_sequence', sequence: 'END' },
  { type: 'stop_sequence', sequence: null },
  { type: 'length' },
  { type: 'content_filter' },
  { type: 'refusal' },
  { type: 'pause' },
  { type: 'context_length' },
];

const USAGES: Readonly<Record<string, CompletionUsage | null>> = {
  unreported: null,
  zero: { ...USAGE, inputTokens: 0, outputTokens: 0 },
  cached: { ...USAGE, cacheReadTokens: 2048 },
  written: { ...USAGE, cacheWriteTokens: 1024, cacheWrite1hTokens: 512 },
  reasoning: { ...USAGE, reasoningTokens: 5 },
  'no-reasoning': { ...USAGE, reasoningTokens: 0 },
};

const CONTENTS: Readonly<Record<string, AssistantPart[]>> = {
  empty: [],
  'empty-text': [text('')],
  texts: [text('One.'), text('Two.')],
  call: [call('call_1', 'weather', '{"city":"Oslo"}')],
  'call-without-arguments': [call('call_1', 'now', '')],
  'call-without-id': [call('', 'now', '{}')],
  'call-cut-off': [call('call_1', 'weather', '{"city":"Os')],
  'parallel-calls': [
    text('I look.'),
    call('call_1', 'weather', '{"city":"Oslo"}'),
    call('call_2', 'weather', '{"city":"Rome"}'),
  ],
  reasoning: [{ type: 'thinking', text: 'Hm.', signature: null }, text('Yes.')],
  'signed-reasoning': [{ type: 'thinking', text: 'Hm.', signature: 'c2lnbmVk' }, text('Yes.')],
  'encrypted-reasoning': [
    { type: 'thinking', text: 'Hm.', signature: ENCRYPTED },
    { type: 'redacted_thinking', data: ENCRYPTED },
    call('call_1', 'weather', '{}'),
  ],
  'redacted-reasoning': [{ type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' }, text('Yes.')],
  'late-reasoning': [text('Yes.'), { type: 'thinking', text: 'Hm.', signature: 'c2lnbmVk' }],
  refusal: [{ type: 'refusal', text: 'I cannot do that.' }],
  'late-refusal': [text('Well.'), { type: 'refusal', text: 'I cannot do that.' }],
  'web-citation': [
    text('It is so.', [
      cite({ url: 'https://example.com/a', title: 'A', citedText: 'so', start: 3, end: 5 }),
    ]),
  ],
  'bare-citation': [text('It is so.', [cite({ url: 'https://example.com/a' })])],
  'document-citation': [
    text('It is so.', [
      cite({
        citedText: 'so',
        title: 'Notes',
        original: {
          type: 'char_location',
          cited_text: 'so',
          document_index: 0,
          document_title: 'Notes',
          start_char_index: 0,
          end_char_index: 2,
        },
      }),
    ]),
  ],
  'file-citation': [
    text('It is so.', [
      cite({
        title: 'notes.txt',
        original: { type: 'file_citation', file_id: 'file-1', filename: 'notes.txt', index: 4 },
      }),
    ]),
  ],
};

const answer = (
  fields: Partial<CompletionResponse>,
  content: AssistantPart[],
  finish: FinishReason,
): CompletionResponse => ({
  id: 'answer-1',
  model: 'a-model',
  createdAt: null,
  usage: USAGE,
  serviceTier: null,
  choices: [{ content, finish }],
  ...fields,
});

function getFinish(content: readonly AssistantPart[]): FinishReason {
  return { type: content.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop' };
}

function listAnswers(): [name: string, response: CompletionResponse][] {
  const said = [text('Yes.')];
  const logprobs = ['Yes', '.'].map((token) => ({ ...chance(token), alternatives: [chance('No')] }));
  const stop: FinishReason = { type: 'stop' };
  const both = [said, [text('No.')]].map((content) => ({ content, finish: stop }));
  const answers: Record<string, CompletionResponse> = {
    logprobs: answer({ choices: [{ content: said, finish: stop, logprobs }] }, said, stop),
    'without-id': answer({ id: '' }, said, stop),
    'two-choices': answer({ choices: both }, said, stop),
  };
  for (const [name, content] of Object.entries(CONTENTS))
    answers[`content/${name}`] = answer({}, content, getFinish(content));
  for (const finish of FINISHES) {
    const detail = finish.type === 'stop_sequence' ? `${finish.type}-${finish.sequence}` : finish.type;
    answers[`finish/${detail}`] = answer({}, said, finish);
    answers[`finish/${detail}/empty`] = answer({}, [], finish);
  }
  for (const [name, usage] of Object.entries(USAGES))
    answers[`usage/${name}`] = answer({ usage }, said, stop);
  for (const serviceTier of ['default', 'priority', 'standard', 'batch', 'flex'])
    answers[`tier/${serviceTier}`] = answer({ serviceTier }, said, stop);
  return Object.entries(answers);
}

/** Each answer of the list above and each sample request of its dialect, whole and streamed. */
export function translateSamples(): TranslatedAnswer[] {
  const plain = listAnswers().flatMap(([name, response]) =>
    DIALECTS.flatMap((dialect) => translateBoth(`sample/${name}`, { dialect, response, requestBody: {} })),
  );
  const called = SAMPLE_REQUESTS.flatMap(({ name, dialect, requestBody, calls }) => {
    const content = calls.map(([tool, input], index) => call(`call_${index}`, tool, JSON.stringify(input)));
    const response = answer({}, content.length === 0 ? [text('Yes.')] : content, getFinish(content));
    return translateBoth(`request/${name}`, { dialect, response, requestBody });
  });
  return [...plain, ...called];
}

/** Random answers, the same in each run. */
export function translateRandom(count: number): TranslatedAnswer[] {
  const arbitrary = arbitraryCompletionResponse({
    createdAt: fc.constantFrom(null, 1_700_000_001),
    usage: arbitraryUsage(),
    choices: fc.array(arbitraryChoice(), { minLength: 1, maxLength: 1 }),
  });
  return fc
    .sample(arbitrary, { numRuns: count, seed: 20_261_126 })
    .flatMap((response, index) =>
      DIALECTS.flatMap((dialect) => translateBoth(`random/${index}`, { dialect, response, requestBody: {} })),
    );
}

function translateBoth(
  name: string,
  {
    dialect,
    response,
    requestBody,
  }: {
    dialect: TranslatedAnswer['dialect'];
    response: CompletionResponse;
    requestBody: Record<string, unknown>;
  },
): TranslatedAnswer[] {
  const source = { name, requestBody };
  return [translateWhole(dialect, response, source), translateStream(dialect, toStream(response), source)];
}
