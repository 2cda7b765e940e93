import { Buffer } from 'node:buffer';
import { expect, it, vi } from 'vitest';
import { HedgeCall } from './hedge-call.ts';

it('keeps a few thousand pieces without content at most', () => {
  const hedgeHasContent = vi.fn<() => void>();
  const listener = { hedgeHasContent, hedgeFailed: () => undefined };
  const spec = { judgeStatus: () => 'answered' as const };
  const call = new HedgeCall({ listener, dialect: 'openai-chat', spec });
  call.onStart(200, () => 'text/event-stream');
  let pieces = 0;
  for (; hedgeHasContent.mock.calls.length === 0 && pieces < 100_000; pieces++)
    call.onData(Buffer.from(':\n'));
  expect(pieces).toBeGreaterThan(1_000);
  expect(pieces).toBeLessThan(5_000);
});
