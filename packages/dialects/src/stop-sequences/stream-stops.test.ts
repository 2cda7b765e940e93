import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse, TokenLogprob } from '@tollgate/core/completion/response';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stopResponse } from './stop-response.ts';
import { StreamStops } from './stream-stops.ts';

type Block = { text: string[] } | { json: string };

const token = (text: string): TokenLogprob => ({ token: text, logprob: -1, bytes: null, alternatives: [] });

/** The same content as a stream and as a whole response, with the log probabilities of each piece. */
function write(blocks: readonly Block[]): { events: CompletionEvent[]; response: CompletionResponse } {
  const events = blocks.flatMap((block, index): CompletionEvent[] => {
    const at = { choice: 0, block: index };
    const end: CompletionEvent = { type: 'block_end', ...at };
    if ('json' in block)
      return [
        { type: 'block_start', ...at, start: { type: 'tool_call', id: `call_${index}`, name: 'read' } },
        { type: 'arguments_delta', ...at, json: block.json },
        end,
      ];
    const deltas = block.text.flatMap((text): CompletionEvent[] => [
      { type: 'logprobs', choice: 0, tokens: [token(text)] },
      { type: 'text_delta', ...at, text },
    ]);
    return [{ type: 'block_start', ...at, start: { type: 'text' } }, ...deltas, end];
  });
  const content = blocks.map((block, index): AssistantPart =>
    'json' in block
      ? { type: 'tool_call', id: `call_${index}`, name: 'read', arguments: block.json, cache: null }
      : { type: 'text', text: block.text.join(''), citations: [], cache: null },
  );
  const logprobs = blocks.flatMap((block) => ('text' in block ? block.text.map(token) : []));
  return {
    events: [...events, { type: 'finish', choice: 0, reason: { type: 'stop' } }, { type: 'end' }],
    response: {
      id: 'r',
      model: 'm',
      createdAt: null,
      choices: [{ content, finish: { type: 'stop' }, logprobs }],
      usage: null,
      serviceTier: null,
    },
  };
}

/** What a caller sees of a stream: its blocks that are not empty, its finish, its tokens. */
function read(events: readonly CompletionEvent[]) {
  const blocks = new Map<number, string>();
  let finish: unknown = null;
  const tokens: string[] = [];
  for (const event of events) {
    if (event.type === 'text_delta') blocks.set(event.block, (blocks.get(event.block) ?? '') + event.text);
    if (event.type === 'arguments_delta') blocks.set(event.block, event.json);
    if (event.type === 'logprobs') tokens.push(...event.tokens.map((one) => one.token));
    if (event.type === 'finish') finish = event.reason;
  }
  return { blocks: [...blocks.values()], finish, tokens };
}

function readWhole({ choices: [choice] }: CompletionResponse) {
  const blocks = (choice?.content ?? []).map((part) =>
    part.type === 'text' ? part.text : part.type === 'tool_call' ? part.arguments : '',
  );
  return { blocks, finish: choice?.finish, tokens: choice?.logprobs?.map((one) => one.token) };
}

const stop = (events: readonly CompletionEvent[], sequences: readonly string[]) => {
  const stops = new StreamStops(sequences);
  return events.flatMap((event) => stops.push(event));
};

it('ends the text at the sequence, and leaves out what follows', () => {
  const { events } = write([{ text: ['Counted.', ' Observ', 'ation: 3'] }, { json: '{}' }]);
  const shown = stop(events, ['Observation:']);
  expect(read(shown)).toEqual({
    blocks: ['Counted. '],
    finish: { type: 'stop_sequence', sequence: 'Observation:' },
    tokens: ['Counted.'],
  });
  expect(shown.map(({ type }) => type)).toEqual([
    'block_start',
    'logprobs',
    'text_delta',
    'text_delta',
    'block_end',
    'finish',
    'end',
  ]);
});

it('changes nothing without the sequence', () => {
  const { events } = write([{ text: ['a ', 'b '] }, { json: '{"a":"END"}' }, { text: ['EN'] }]);
  expect(read(stop(events, ['END']))).toEqual(read(events));
});

it('shows the same of a stream as of the whole response', () => {
  const piece = fc.stringMatching(/^[ab]{1,4}$/);
  const block: fc.Arbitrary<Block> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ text: fc.array(piece, { minLength: 1, maxLength: 6 }) }) },
    { weight: 1, arbitrary: fc.record({ json: fc.constantFrom('{}', '{"a":"b"}') }) },
  );
  fc.assert(
    fc.property(
      fc.array(block, { maxLength: 4 }),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      (blocks, sequences) => {
        const { events, response } = write(blocks);
        expect(read(stop(events, sequences))).toEqual(readWhole(stopResponse(response, sequences)));
      },
    ),
    { numRuns: 1_000 },
  );
});
