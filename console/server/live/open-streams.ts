/** More than the visible windows of any user; hidden pages close their stream. */
const MAX_PER_SESSION = 24;

export interface OpenStreams {
  /**
   * Forwards a streamed response until it ends, its session ends, or the server stops.
   * @returns null if the session has its maximum of streams; this one is then closed
   */
  keep(response: Response, sessionHashHex: string): Response | null;
  getClose(sessionHashHex: string): void;
  closeAll(): void;
}

/** The browsers' event streams. A browser reopens one that was cut, which checks its session again. */
export function createOpenStreams(): OpenStreams {
  const bySession = new Map<string, Set<() => void>>();
  const add = (sessionHashHex: string, close: () => void) => {
    const streams = bySession.get(sessionHashHex) ?? new Set();
    bySession.set(sessionHashHex, streams.add(close));
    return () => {
      streams.delete(close);
      if (streams.size === 0) bySession.delete(sessionHashHex);
    };
  };
  const getClose = (sessionHashHex: string) => {
    for (const close of bySession.get(sessionHashHex) ?? []) close();
  };
  return {
    keep(response, sessionHashHex) {
      if (response.body === null) return response;
      if ((bySession.get(sessionHashHex)?.size ?? 0) >= MAX_PER_SESSION) {
        void response.body.cancel();
        return null;
      }
      const { body, close } = closable(response.body, () => remove());
      const remove = add(sessionHashHex, close);
      return new Response(body, response);
    },
    getClose,
    closeAll() {
      for (const sessionHashHex of bySession.keys()) getClose(sessionHashHex);
    },
  };
}

function closable(
  source: ReadableStream<Uint8Array>,
  onEnd: () => void,
): { body: ReadableStream<Uint8Array>; close: () => void } {
  const reader = source.getReader();
  // A cancelled reader resolves its pending read with "done", which also ends the body.
  const cancel = () => reader.cancel().catch(() => undefined);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    cancel() {
      onEnd();
      return cancel();
    },
  });
  return { body, close: () => void cancel() };
}
