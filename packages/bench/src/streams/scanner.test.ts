import { describe, expect, it } from 'vitest';
import { encodeChunk, encodeEnd, RESPONSE_HEAD } from './event.ts';
import { StreamScanner } from './scanner.ts';

const TIMES = [1_000_001, 2_000_002, 3_000_003];
const ANSWER =
  RESPONSE_HEAD + TIMES.map((time, index) => encodeChunk(index, time)).join('') + encodeEnd(3, true);

function scan(pieces: readonly string[]) {
  const times: number[] = [];
  const scanner = new StreamScanner((sentUs) => times.push(sentUs));
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1');
    scanner.push(bytes, bytes.length);
  }
  return { scanner, times };
}

describe('StreamScanner', () => {
  it('finds every chunk and its time, wherever the answer is cut in two', () => {
    for (let cut = 0; cut <= ANSWER.length; cut++) {
      const { scanner, times } = scan([ANSWER.slice(0, cut), ANSWER.slice(cut)]);
      expect(times).toEqual(TIMES);
      expect(scanner).toMatchObject({ received: 3, outOfOrder: 0, isComplete: true });
    }
  });

  it('finds them when the answer comes byte by byte', () => {
    const { scanner, times } = scan(Array.from(ANSWER));
    expect(times).toEqual(TIMES);
    expect(scanner.isComplete).toBe(true);
  });

  it('counts a chunk that is not the next one of its stream', () => {
    const { scanner } = scan([RESPONSE_HEAD, encodeChunk(0, 1), encodeChunk(2, 2)]);
    expect(scanner).toMatchObject({ received: 2, outOfOrder: 1 });
  });

  it('does not take a stream that was cut before [DONE] for a whole one', () => {
    const { scanner } = scan([RESPONSE_HEAD, encodeChunk(0, 1), '0\r\n\r\n']);
    expect(scanner).toMatchObject({ isEnded: true, isComplete: false });
  });

  it('throws the answer of a refused stream', () => {
    expect(() => scan(['HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\n{}'])).toThrow(
      '401 Unauthorized',
    );
  });
});
