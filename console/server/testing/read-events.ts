/** An event of a stream as a browser hears it. */
export interface StreamEvent {
  event: string;
  data: string;
}

export interface EventReader {
  /** The next event except pings; null: the stream has ended. */
  next(): Promise<StreamEvent | null>;
  /** As a browser that leaves. */
  leave(): Promise<void>;
}

/** Reads an answer of `text/event-stream`. */
export function readEvents(response: Response): EventReader {
  if (response.body === null) throw new Error('The answer has no body');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end === -1) {
          const { done, value } = await reader.read();
          if (done) return null;
          text += value;
          continue;
        }
        const event = parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event !== null && event.event !== 'ping') return event;
      }
    },
    leave: () => reader.cancel(),
  };
}

/** null: nothing but blank lines, which part events. */
function parseEvent(block: string): StreamEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const data = fields.get('data');
  return data === undefined ? null : { event: fields.get('event') ?? 'message', data };
}
