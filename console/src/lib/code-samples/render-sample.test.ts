import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isMissing } from '@tollgate/testing/missing-tool';
import { describe, expect, it } from 'vitest';
import {
  renderSample,
  SAMPLE_LANGUAGES,
  type SampleDialect,
} from '@tollgate/core/code-samples/render-sample';

const KEY = 'sk-of-the-environment';
const TEXT = 'It\'s "odd": $HOME `id` \\ JSON\nJSON\n  ünïcode \u{1f40d}';
const BODIES: Record<SampleDialect, Record<string, unknown>> = {
  openai: {
    model: 'a/model',
    messages: [
      { role: 'system', content: TEXT },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'f', parameters: { type: 'object', additionalProperties: false } },
      },
    ],
    temperature: 0.5,
  },
  anthropic: {
    model: 'a/model',
    max_tokens: 64,
    system: TEXT,
    messages: [{ role: 'user', content: 'Hello' }],
    temperature: 0,
  },
};

interface Seen {
  url: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

const completion = { id: 'c', object: 'chat.completion', created: 1, model: 'm' };
const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const ANSWERS = {
  openai: {
    whole: JSON.stringify({
      ...completion,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Said so' } }],
    }),
    streamed: `data: ${JSON.stringify({ ...completion, choices: [{ index: 0, delta: { content: 'Said so' } }] })}\n\ndata: [DONE]\n\n`,
  },
  anthropic: {
    whole: JSON.stringify({
      ...message,
      content: [{ type: 'text', text: 'Said so' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    streamed: [
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Said so' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 2 },
      },
      { type: 'message_stop' },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  },
};

/** A server that answers as the api does, and remembers what it was sent. */
async function serve() {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(text);
      if (typeof body !== 'object' || body === null) throw new Error('no object was sent');
      const sent = { ...body } as Record<string, unknown>;
      seen.push({ url: request.url ?? '', headers: request.headers, body: sent });
      const dialect = request.url?.endsWith('/messages') === true ? 'anthropic' : 'openai';
      const isStreamed = sent['stream'] === true;
      response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
      response.end(ANSWERS[dialect][isStreamed ? 'streamed' : 'whole']);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const run = promisify(execFile);
const env = { ...process.env, SERVICE_API_KEY: KEY };

/** Runs a program next to the packages of the console. */
async function runScript(code: string): Promise<string> {
  const folder = await mkdtemp(path.join(import.meta.dirname, 'sample-'));
  try {
    await writeFile(path.join(folder, 'sample.ts'), code);
    const { stdout } = await run(process.execPath, ['sample.ts'], { cwd: folder, env });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0;
const lacksCurl = isMissing('curl', isInstalled('curl'), 'code samples in a shell');
const lacksPython = isMissing('python3', isInstalled('python3'), 'code samples in Python');

// Each runs a process, and an SDK takes its time to load where much else runs.
describe.each(['openai', 'anthropic'] as const)(
  'samples of the dialect of %s',
  { timeout: 60_000 },
  (dialect) => {
    const body = BODIES[dialect];

    it.each([false, true])('run as TypeScript, streamed: %s', async (isStreamed) => {
      await using server = await serve();
      const output = await runScript(
        renderSample('typescript', { baseUrl: server.baseUrl, dialect, body, isStreamed }),
      );
      expect(output).toContain('Said so');
      expect(server.seen).toHaveLength(1);
      expect(server.seen[0]?.body).toMatchObject(body);
      expect(server.seen[0]?.url).toBe(dialect === 'openai' ? '/v1/chat/completions' : '/v1/messages');
      expect(JSON.stringify(server.seen[0]?.headers)).toContain(KEY);
    });

    it.skipIf(lacksCurl).each([false, true])('run in a shell, streamed: %s', async (isStreamed) => {
      await using server = await serve();
      const code = renderSample('curl', { baseUrl: server.baseUrl, dialect, body, isStreamed });
      const { stdout } = await run('sh', ['-c', code], { env });
      expect(stdout).toContain('Said so');
      expect(server.seen[0]?.body).toEqual(isStreamed ? { ...body, stream: true } : body);
      expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    });

    it.skipIf(lacksPython).each([false, true])(
      'are Python that says the same, streamed: %s',
      async (isStreamed) => {
        const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-sample-'));
        try {
          const module = dialect === 'openai' ? 'openai' : 'anthropic';
          await writeFile(path.join(folder, `${module}.py`), PYTHON_DOUBLE);
          const baseUrl = 'http://127.0.0.1:8787/v1';
          await writeFile(
            path.join(folder, 'sample.py'),
            renderSample('python', { baseUrl, dialect, body, isStreamed }),
          );
          const { stdout } = await run('python3', ['sample.py'], { cwd: folder, env });
          const [client, call] = stdout.split('\n', 2).map((line): unknown => JSON.parse(line));
          expect(client).toEqual({
            base_url: dialect === 'openai' ? baseUrl : 'http://127.0.0.1:8787',
            api_key: KEY,
          });
          expect(call).toEqual(isStreamed && dialect === 'openai' ? { ...body, stream: true } : body);
          expect(stdout).toContain('Said so');
        } finally {
          await rm(folder, { recursive: true });
        }
      },
    );

    it('hold no key', () => {
      for (const language of SAMPLE_LANGUAGES)
        expect(
          renderSample(language, { baseUrl: 'http://a/v1', dialect, body, isStreamed: true }),
        ).not.toMatch(/sk-/);
    });
  },
);

/** Replaces either SDK: prints its arguments, and responds. */
const PYTHON_DOUBLE = `import json

class Thing:
    def __init__(self, **members):
        self.__dict__.update(members)
    def __repr__(self):
        return repr(self.__dict__)

class Stream:
    text_stream = ["Said so"]
    def __enter__(self):
        return self
    def __exit__(self, *_):
        pass

class Calls:
    def create(self, **arguments):
        print(json.dumps(arguments))
        said = Thing(content="Said so", text="Said so")
        if arguments.get("stream"):
            return [Thing(choices=[Thing(delta=said)]), Thing(choices=[])]
        return Thing(choices=[Thing(message=said)], content=[said])
    def stream(self, **arguments):
        print(json.dumps(arguments))
        return Stream()

class Client:
    def __init__(self, **options):
        print(json.dumps(options))
        self.messages = Calls()
        self.chat = Thing(completions=Calls())

OpenAI = Anthropic = Client
`;
