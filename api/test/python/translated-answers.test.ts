/** The official SDKs, LangChain and pydantic-ai read every translated answer, whole and streamed. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { translateRandom, translateSamples } from '@tollgate/dialects/translated/sample-answers.fixture';
import { translateRecordings } from '@tollgate/dialects/translated/translate-recordings.fixture';
import {
  DIALECTS,
  getDocuments,
  type TranslatedAnswer,
} from '@tollgate/dialects/translated/translated-answer.fixture';
import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { isPythonMissing, runPython } from './run-python.ts';

const LIMIT_MS = 300_000;
/** Number of random answers for each dialect; the models of the SDKs are fast, the clients slow. */
const RANDOM_VALIDATED = 300;
const RANDOM_READ = 20;

/** Members that the gateway adds to what the SDKs declare: those of `added-members.json`, and where the SDKs lag behind. */
const ADDED_TO_SDKS = [
  'AnnotationURLCitation.content',
  'ChatCompletionMessage.reasoning_content',
  'ChatCompletionMessage.reasoning_details',
  'Choice.stop_reason',
  'ChoiceDelta.annotations',
  'ChoiceDelta.reasoning_content',
  'ChoiceDelta.reasoning_details',
  'ChoiceDeltaToolCall.custom',
  // The API sends it.
  'Response.store',
  'ResponseCustomToolCall.status',
  'ResponseFunctionCallArgumentsDoneEvent.name',
];
/** What the Python SDK's models do not have: calls of custom tools in streams of chat completions, and events of a patch. */
const UNKNOWN_TO_SDKS = [/^request\/custom-tool$/, /^response\.apply_patch_call_operation_diff\./];

/** Tools that a client never declares, so it never gets a call of one. */
const NEVER_DECLARED: Readonly<Record<string, readonly string[]>> = {
  langchain: ['request/custom-tool'],
  'pydantic-ai': ['request/custom-tool', 'request/client-tools', 'request/shell'],
};

const recordings = loadDialectRecordings(DIALECTS);
const common = [...translateRecordings(recordings.cases), ...translateSamples()];

describe.skipIf(isPythonMissing)(`A translated answer. ${describeRecordings(recordings)}`, () => {
  it('is valid for the models of the SDKs in strict mode', { timeout: LIMIT_MS }, async () => {
    const answers = [...common, ...translateRandom(RANDOM_VALIDATED)];
    const input = answers.map((answer) => ({ ...answer, documents: getDocuments(answer) }));
    const { lines, stderr } = await runScript('answer_schemas', input);
    const found = lines.slice(0, -1) as { name: string; document: { type?: string } }[];
    const faults = found.filter(
      ({ name, document }) =>
        !UNKNOWN_TO_SDKS.some((known) => known.test(name) || known.test(document.type ?? '')),
    );
    expect(faults).toEqual([]);
    expect(stderr).toBe('');
    const { count, extra } = lines.at(-1) as { count: number; extra: string[] };
    expect(count).toBe(input.flatMap(({ documents }) => documents).length);
    expect(extra).toEqual(ADDED_TO_SDKS);
    process.stdout.write(`${count} documents of ${answers.length} answers are valid in strict mode\n`);
  });

  it('is read by each client', { timeout: LIMIT_MS }, async () => {
    const answers = [...common, ...translateRandom(RANDOM_READ)];
    await using server = await serveAnswers(answers);
    const input = answers.map(({ dialect, isStream }, id) => ({ id: String(id), dialect, isStream }));
    const { lines } = await runScript('answer_clients', input, { ORIGIN: server.origin });
    expect(lines).toHaveLength(answers.length);
    const faults = (lines as ReadLine[]).flatMap(({ id, read }) => {
      const answer = answers[Number(id)];
      return answer === undefined ? [id] : findFaults(answer, read);
    });
    expect(faults).toEqual([]);
    process.stdout.write(`${answers.length} answers are read by each client\n`);
  });
});

/** What a client read, or its error. */
type Read = { text: string; warnings: string[] } | { error: string };
interface ReadLine {
  id: string;
  read: Record<string, Read>;
}

function findFaults({ name, dialect, isStream, body }: TranslatedAnswer, read: ReadLine['read']): unknown[] {
  const at = `${name}, ${dialect}, ${isStream ? 'streamed' : 'whole'}`;
  const known = Object.entries(read).filter(([client]) => !(NEVER_DECLARED[client] ?? []).includes(name));
  const texts = new Set<string>();
  const faults: unknown[] = [];
  for (const [client, result] of known) {
    if ('error' in result) faults.push([at, client, result.error]);
    else {
      if (result.warnings.length > 0) faults.push([at, client, result.warnings]);
      // pydantic-ai has only the refusal of an answer with a refusal.
      if (client !== 'pydantic-ai' || !/"refusal":"|"type":"refusal"/.test(body)) texts.add(result.text);
    }
  }
  if (texts.size > 1) faults.push([at, 'different texts', read]);
  return faults;
}

async function runScript(client: string, input: readonly unknown[], settings: Record<string, string> = {}) {
  const lines = input.map((each) => `${JSON.stringify(each)}\n`).join('');
  const { exitCode, stdout, stderr } = await runPython(
    'newest',
    ['-B', `${import.meta.dirname}/clients/${client}.py`],
    {
      env: settings,
      input: lines,
      limitMs: LIMIT_MS,
    },
  );
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  const written = stdout.split('\n').filter((line) => line !== '');
  return { lines: written.map((line): unknown => JSON.parse(line)), stderr };
}

/** A server whose models are the numbers of the answers. */
async function serveAnswers(answers: readonly TranslatedAnswer[]) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { model } = JSON.parse(body) as { model: string };
      const answer = answers[Number(model)];
      const type = answer?.isStream === true ? 'text/event-stream' : 'application/json';
      return response.writeHead(answer === undefined ? 404 : 200, { 'content-type': type }).end(answer?.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
