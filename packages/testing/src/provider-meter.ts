import type { TokenUsage } from '@tollgate/core/money/money';
import { findMarker } from './fake-provider/metered-model.ts';
import type { ServedRequest } from './fake-provider/served-request.ts';

/** What the provider would write on its bill for one request. */
export interface MeteredRequest {
  /** From `markPrompt`. */
  marker: string;
  path: string;
  isStream: boolean;
  /** What it has reported in bytes that were sent; null: nothing. */
  usage: TokenUsage | null;
  /** True: the answer was sent to its last byte, and with it its whole usage. */
  isWhole: boolean;
  /** How long it went on before its client was seen to be gone; null: that stayed. */
  leftAfterMs: number | null;
  bytesSent: number;
}

/**
 * The provider's own meter, of every marked request.
 * @throws Error where a marked request is still going on: wait for its `finished` first
 */
export function readMeter(requests: readonly ServedRequest[]): MeteredRequest[] {
  return requests.flatMap((record) => {
    const marker = findMarker(record.body);
    if (marker === null) return [];
    if (record.outcome === 'pending') throw new Error(`The provider is still busy with ${marker}`);
    return [
      {
        marker,
        path: record.path,
        isStream: record.isStream,
        usage: record.usage,
        isWhole: record.outcome === 'complete' && record.status === 200,
        leftAfterMs: record.abortedAtMs === null ? null : record.abortedAtMs - record.receivedAtMs,
        bytesSent: record.bytesSent,
      },
    ];
  });
}
