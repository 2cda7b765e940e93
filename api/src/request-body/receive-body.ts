import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import type { BodyCollector } from './body-collector.ts';
import { BROKEN_BODY, type ReadLimits } from './read-limits.ts';
import { watchPace } from './watch-pace.ts';

interface Receiving {
  limits: ReadLimits;
  /** True: the body must arrive at the pace of the limits, and large ones take turns. */
  isWatched: boolean;
  onReceived: (bytes: number) => void;
}

/** Receives the body of a Node request. A body that is refused is not read further. */
export function receiveBody(
  incoming: IncomingMessage,
  collector: BodyCollector,
  { limits, isWatched, onReceived }: Receiving,
): Promise<Result<Buffer>> {
  return new Promise((resolve) => {
    const stopWatch = isWatched ? watchPace(collector, limits.pace, (error) => fail(error)) : null;
    const onData = (chunk: Buffer) => {
      const error = collector.add(chunk);
      onReceived(collector.receivedBytes);
      if (error !== null) fail(error);
      else if (isWatched && limits.turns.spend(limits.owner, chunk.length)) {
        incoming.pause();
        limits.turns.wait(limits.owner, resume);
      }
    };
    let isOver = false;
    const resume = () => {
      if (!isOver) incoming.resume();
    };
    const fail = (error: GatewayError) => {
      isOver = true;
      stopWatch?.();
      incoming.off('data', onData);
      incoming.pause();
      resolve({ ok: false, error });
    };
    incoming.on('data', onData);
    incoming.on('end', () => {
      stopWatch?.();
      resolve({ ok: true, value: collector.finish() });
    });
    // A request that was interrupted emits `error` (https://nodejs.org/api/http.html#event-close_3).
    incoming.on('error', () => fail(deny('invalid_request', BROKEN_BODY).error));
  });
}
