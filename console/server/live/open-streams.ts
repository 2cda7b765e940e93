/** More than anybody has windows in sight; what is hidden closes its stream. */
const MAX_PER_SESSION = 24;

export interface OpenStreams {
  /**
   * Passes a streamed answer on until it ends, its session ends, or the server stops.
   * @returns null if the session has as many streams as it may; this one is ended then
   */
  keep(response: Response, sessionHashHex: string): Response | null;
  closeOf(sessionHashHex: string): void;
  closeAll(): void;
}

/** The streams that browsers hear changes by. One that is cut is made anew by the browser, which asks for its session. */
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
  const closeOf = (sessionHashHex: string) => {
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
    closeOf,
    closeAll() {
      for (const sessionHashHex of bySession.keys()) closeOf(sessionHashHex);
    },
  };
}

function closable(
  source: ReadableStream<Uint8Array>,
  onEnd: () => void,
): { body: ReadableStream<Uint8Array>; close: () => void } {
  const reader = source.getReader();
  // A reader that is cancelled answers its pending read with "done", which ends the body too.
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
