import { STAMP_DIGITS, writeStamp } from './event.ts';

const frame = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const DELTA =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"@';
const DELTA_END = '@"}}\n\n';
const CHUNK_START = `${(DELTA.length + STAMP_DIGITS + DELTA_END.length).toString(16)}\r\n${DELTA}`;
const CHUNK_END = `${DELTA_END}\r\n`;
const START = [
  {
    type: 'message_start',
    message: {
      id: 'msg_bench',
      type: 'message',
      role: 'assistant',
      model: 'bench-translated',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
];

/** How a message stream opens, up to its first delta. */
export const MESSAGE_START = frame(START.map(event).join(''));

/** One delta of a message stream, see `encodeChunk`. */
export function encodeDelta(sequence: number, timeUs: number): string {
  return CHUNK_START + writeStamp(sequence, timeUs) + CHUNK_END;
}

/** How a message stream ends. */
export function encodeMessageEnd(deltas: number): string {
  const events = [
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: deltas },
    },
    { type: 'message_stop' },
  ];
  return `${frame(events.map(event).join(''))}0\r\n\r\n`;
}
