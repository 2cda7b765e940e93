import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Item {
  id?: string;
  type?: string;
  call_id?: string;
}

interface SeenRequest {
  input: Item[];
  tools?: { name?: string }[];
  stream?: boolean;
  store?: boolean;
}

/** A provider of the Responses API that keeps nothing, and refuses what OpenAI refuses then. */
export interface ResponsesProvider extends AsyncDisposable {
  baseUrl: string;
  /** Bodies, the newest last. */
  seen: SeenRequest[];
  /** Their headers. */
  headers: IncomingHttpHeaders[];
  /** Responses as they were sent, the newest last. */
  sent: string[];
  /** Requests that were given up before their response, at `performance.now()`. */
  abandonedAtMs: number[];
  /** Makes all responses wait until `release`. */
  hold(): void;
  release(): void;
}

/** Calls the first tool in the first turn, after some reasoning; then it says `Done.` */
export async function startResponsesProvider(): Promise<ResponsesProvider> {
  const seen: SeenRequest[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const sent: string[] = [];
  const abandonedAtMs: number[] = [];
  let gate: PromiseWithResolvers<void> | null = null;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    const given = JSON.parse(body) as SeenRequest;
    const asked = { ...given, input: Array.isArray(given.input) ? given.input : [] };
    seen.push(asked);
    headers.push(request.headers);
    const turn = seen.length;
    response.on('close', () => {
      if (!response.writableEnded) abandonedAtMs.push(performance.now());
    });
    await gate?.promise;
    const problem = findProblem(asked);
    const status = problem === null ? 200 : 400;
    const isStream = problem === null && asked.stream === true;
    const answer = { ...ANSWER, id: `resp_${turn}`, output: getOutput(asked, turn) };
    const text = problem === null ? writeAnswer(answer, isStream) : writeError(problem);
    sent.push(text);
    const type = isStream ? 'text/event-stream' : 'application/json';
    response.writeHead(status, { 'content-type': type }).end(text);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    headers,
    sent,
    abandonedAtMs,
    hold() {
      gate ??= Promise.withResolvers();
    },
    release() {
      gate?.resolve();
      gate = null;
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ANSWER = {
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'upstream',
  usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function findProblem({ input, store }: SeenRequest): string | null {
  if (store !== false) return 'store must be false here';
  for (const [index, { id, type }] of input.entries()) {
    if (type === 'item_reference') return `Item with id '${id}' not found.`;
    if (id !== undefined && id.length > 64) return `input[${index}].id: string too long`;
    const next = input[index + 1]?.type;
    if (type === 'reasoning' && next === undefined)
      return `Item '${id}' of type 'reasoning' was provided without its required following item.`;
  }
  return null;
}

function writeError(message: string): string {
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: 'input', code: null } });
}

function getOutput({ input, tools }: SeenRequest, turn: number): object[] {
  const reasoning = { id: `rs_${turn}`, type: 'reasoning', summary: [], encrypted_content: `gAAA${turn}` };
  const [tool] = tools ?? [];
  if (tool !== undefined && !input.some(({ type }) => type === 'function_call_output')) {
    const call = { call_id: `call_${turn}`, name: tool.name, arguments: '{"city":"Oslo"}' };
    return [reasoning, { id: `fc_${turn}`, type: 'function_call', status: 'completed', ...call }];
  }
  const text = { type: 'output_text', text: `Done ${turn}.`, annotations: [], logprobs: [] };
  const message = { type: 'message', role: 'assistant', status: 'completed', content: [text] };
  return [reasoning, { id: `msg_${turn}`, ...message }];
}

function writeAnswer(answer: { output: object[] }, isStream: boolean): string {
  return isStream ? writeStream(answer) : JSON.stringify(answer);
}

function writeStream(answer: { output: object[] }): string {
  const events: [string, object][] = [
    ['response.created', { response: { ...answer, status: 'in_progress', output: [] } }],
  ];
  for (const [index, item] of answer.output.entries()) {
    const at = { output_index: index };
    const open = 'content' in item ? { ...item, status: 'in_progress', content: [] } : item;
    events.push(['response.output_item.added', { ...at, item: open }]);
    if ('content' in item && 'id' in item) {
      const [part] = item.content as { text: string }[];
      const place = { ...at, item_id: item.id, content_index: 0 };
      events.push(['response.content_part.added', { ...place, part: { ...part, text: '' } }]);
      events.push(['response.output_text.delta', { ...place, delta: part?.text, logprobs: [] }]);
      events.push(['response.output_text.done', { ...place, text: part?.text, logprobs: [] }]);
      events.push(['response.content_part.done', { ...place, part }]);
    }
    events.push(['response.output_item.done', { ...at, item }]);
  }
  events.push(['response.completed', { response: answer }]);
  return events
    .map(([type, members], number) => {
      const data = { type, sequence_number: number, ...members };
      return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    })
    .join('');
}
