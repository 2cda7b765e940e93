import type { TokenUsage } from '@tollgate/core/money/money';
import { findMarker } from './fake-provider/metered-model.ts';
import type { ServedRequest } from './fake-provider/served-request.ts';

/** The provider's bill for one request. */
export interface MeteredRequest {
  /** Marker from `markPrompt`. */
  marker: string;
  path: string;
  isStream: boolean;
  /** Usage reported in sent bytes; null: none. */
  usage: TokenUsage | null;
  /** True: the response and its usage were sent completely. */
  isWhole: boolean;
  /** Time until the client disconnected; null: it stayed. */
  leftAfterMs: number | null;
  bytesSent: number;
}

/**
 * The provider's own meter of marked requests.
 * @throws Error if a marked request is in progress: await its `finished` first
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
