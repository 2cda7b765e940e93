import { Buffer } from 'node:buffer';
import type { UpstreamFailure, UpstreamListener } from '../transport/transport.ts';
import { decodeBedrockFrame } from './bedrock-events.ts';
import { encodeEnvelopeError } from './envelope-error.ts';
import { EventStreamFrames } from './event-stream-frames.ts';

const FRAMED = 'application/vnd.amazon.eventstream';
/** Maximum number of bytes read of an error. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Converts a call from the cloud's format to Anthropic's: framed streams to events, errors to Anthropic's errors;
 * everything else passes through.
 */
export class EnvelopeListener implements UpstreamListener {
  readonly #listener: UpstreamListener;
  readonly #abort: () => void;
  #frames: EventStreamFrames | null = null;
  #error: {
    status: number;
    header: (name: string) => string | null;
    chunks: Buffer[];
    bytes: number;
  } | null = null;
  #isOver = false;

  /** @param abort ends the provider call if its data cannot be read */
  constructor(listener: UpstreamListener, abort: () => void) {
    this.#listener = listener;
    this.#abort = abort;
  }

  onStart(status: number, header: (name: string) => string | null): void {
    if (status >= 400) {
      this.#error = { status, header, chunks: [], bytes: 0 };
      return;
    }
    if (header('content-type')?.startsWith(FRAMED) !== true) return this.#listener.onStart(status, header);
    this.#frames = new EventStreamFrames();
    this.#listener.onStart(status, (name) =>
      name === 'content-type' ? 'text/event-stream; charset=utf-8' : header(name),
    );
  }

  onData(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#error !== null) this.#keepError(this.#error, chunk);
    else if (this.#frames === null) this.#listener.onData(chunk);
    else this.#takeFrames(this.#frames, chunk);
  }

  onEnd(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#error !== null) this.#tellError(this.#error);
    else if (this.#frames?.isWhole === false)
      this.#listener.onError({ kind: 'cut', detail: 'the stream ended inside a frame' });
    else this.#listener.onEnd();
  }

  onError(failure: UpstreamFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onError(failure);
  }

  #takeFrames(frames: EventStreamFrames, chunk: Buffer): void {
    let events: Buffer[];
    try {
      events = frames.take(chunk).flatMap((frame) => decodeBedrockFrame(frame) ?? []);
    } catch (error) {
      this.#isOver = true;
      this.#abort();
      this.#listener.onError({ kind: 'cut', detail: error instanceof Error ? error.message : String(error) });
      return;
    }
    // One write per received chunk.
    if (events.length > 0)
      this.#listener.onData(events.length === 1 ? (events[0] ?? EMPTY) : Buffer.concat(events));
  }

  #keepError(error: { chunks: Buffer[]; bytes: number }, chunk: Buffer): void {
    if (error.bytes >= MAX_ERROR_BYTES) return;
    error.chunks.push(chunk);
    error.bytes += chunk.length;
  }

  #tellError(error: { status: number; header: (name: string) => string | null; chunks: Buffer[] }): void {
    const { status, header, chunks } = error;
    const body = encodeEnvelopeError(status, Buffer.concat(chunks).toString('utf8'));
    this.#listener.onStart(status, (name) => {
      if (name === 'content-type') return 'application/json';
      // These headers describe the original body.
      return name === 'content-length' || name === 'content-encoding' ? null : header(name);
    });
    this.#listener.onData(Buffer.from(body));
    this.#listener.onEnd();
  }
}

const EMPTY = Buffer.alloc(0);
