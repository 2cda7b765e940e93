import { Buffer } from 'node:buffer';
import type { UpstreamFailure, UpstreamListener } from '../transport/transport.ts';

/** The events of a listener, and a promise of their end. */
export interface HeardCall extends UpstreamListener {
  status: number | null;
  contentType: string | null;
  body(): string;
  chunks: Buffer[];
  failure: UpstreamFailure | null;
  isEnded: boolean;
  done: Promise<void>;
}

/** A listener that records all events, and throws on events after the end. */
export function createHeardCall(): HeardCall {
  const end = Promise.withResolvers<void>();
  const close = () => {
    if (heard.isEnded || heard.failure !== null) end.reject(new Error('received a second end'));
    end.resolve();
  };
  const heard: HeardCall = {
    status: null,
    contentType: null,
    chunks: [],
    failure: null,
    isEnded: false,
    done: end.promise,
    body: () => Buffer.concat(heard.chunks).toString('utf8'),
    onStart: (status, header) => {
      heard.status = status;
      heard.contentType = header('content-type');
    },
    onData: (chunk) => {
      if (heard.status === null || heard.isEnded || heard.failure !== null)
        throw new Error('event out of order');
      heard.chunks.push(Buffer.from(chunk));
    },
    onEnd: () => {
      close();
      heard.isEnded = true;
    },
    onError: (failure) => {
      close();
      heard.failure = failure;
    },
  };
  return heard;
}
