import { Buffer } from 'node:buffer';
import { KEPT_BODY_BYTES } from '@tollgate/core/requests/kept-bodies';
import { expect, it } from 'vitest';
import { Recording, type RecordedBodies } from './recording.ts';

it('keeps nothing from earlier in its memory behind a character that does not fit', () => {
  const kept: RecordedBodies[] = [];
  const host = {
    reserve: () => true,
    release: () => undefined,
    add: (bodies: RecordedBodies) => kept.push(bodies),
    noteLost: () => undefined,
  };
  const head = { requestId: 'req_1', accountId: 'acct_1', startedAtMs: 1 };
  const recording = new Recording(host, head, Buffer.from('asked'));
  // Memory of this size is not cleared before: without filling, it may have anything in it.
  Buffer.allocUnsafe(KEPT_BODY_BYTES).fill('s');
  recording.addText(`${'x'.repeat(KEPT_BODY_BYTES - 2)}\u{1f600}`);
  recording.finish();
  expect(kept[0]?.answer.kept.subarray(-3)).toEqual(Buffer.from('x\0\0'));
  expect(kept[0]?.answer.bytes).toBe(KEPT_BODY_BYTES + 2);
});
