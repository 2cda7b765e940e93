import type { Buffer } from 'node:buffer';
import type { Exchange } from '../exchange.ts';
import { RecordedExchange } from './recorded-exchange.ts';
import { Recording, type RecordingHost } from './recording.ts';

/** Starts logging the response of a request, together with the request body. */
export function recordExchange(
  exchange: Exchange,
  record: { host: RecordingHost; accountId: string; body: Buffer },
): Exchange {
  const { requestId, startedAtMs } = exchange;
  const head = { requestId, startedAtMs, accountId: record.accountId };
  return new RecordedExchange(exchange, new Recording(record.host, head, record.body));
}
