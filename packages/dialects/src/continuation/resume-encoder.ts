import type { Dialect } from '@tollgate/core/models/dialect';
import type { StreamContext } from '../answer-context.ts';
import { getCodec } from '../codec.ts';
import { EVENT_END } from '../sse/event-end.ts';
import type { StreamEncoder } from '../stream-codec.ts';
import type { NativePlace } from './native-place.ts';
import type { StreamSoFar } from './stream-so-far.ts';

/** The block that the received text is in. */
const TEXT_BLOCK = 0;

/**
 * Creates an encoder that goes on with a stream which was forwarded as its provider sent it. Its blocks are numbered anew: block 0
 * is the received text.
 * @param context `model` is the model that the stream names
 */
export function resumeEncoder(
  dialect: Dialect,
  context: StreamContext,
  { place, soFar }: { place: NativePlace; soFar: StreamSoFar },
): StreamEncoder {
  const { index, itemId, response, items, sequence, ends } = place;
  context.resumed = { index, itemId, response, items };
  const encoder = getCodec(dialect).createStreamEncoder(context);
  // What the caller has received is written again, into nowhere.
  if (soFar.start !== null) encoder.push(soFar.start);
  encoder.push({ type: 'block_start', choice: 0, block: TEXT_BLOCK, start: { type: 'text' } });
  encoder.push({ type: 'text_delta', choice: 0, block: TEXT_BLOCK, text: soFar.text });
  encoder.continueAt?.(sequence + 1 - ends);
  soFar.openBlock = TEXT_BLOCK;
  soFar.nextBlock = TEXT_BLOCK + 1;
  return ends === 0 ? encoder : withoutFirst(encoder, ends);
}

/** Leaves out the first events, which the caller has received. */
function withoutFirst(encoder: StreamEncoder, count: number): StreamEncoder {
  let left = count;
  return {
    push(event) {
      let written = encoder.push(event);
      while (left > 0 && written !== '') {
        const [end] = written.matchAll(EVENT_END);
        written = end === undefined ? '' : written.slice(end.index + end[0].length);
        left -= 1;
      }
      return written;
    },
  };
}
