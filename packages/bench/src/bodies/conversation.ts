/**
 * Requests that look like those of coding agents: a long system prompt, tools with schemas, and many turns of text, tool
 * calls and tool results with code in them. The same seed gives the same bytes.
 */
interface ConversationOptions {
  model: string;
  /** The length of the JSON text, in bytes; the result is at most one tool result shorter or longer. */
  bytes: number;
  seed: number;
}

const WORDS =
  'request stream token limit budget parse encode header socket buffer message provider route retry window ledger account price cache error'.split(
    ' ',
  );
const PROSE =
  'the first of these files has what we need so I will read it now and then change the test'.split(' ');
const TOOLS = ['read_file', 'write_file', 'run_command', 'search', 'list_files', 'apply_patch'];
/** Lines of a tool result, which is about as long as a file that an agent reads. */
const RESULT_LINES = 60;
const LONGEST_RESULT = 0.25;

/** @returns a chat completion request in OpenAI's dialect */
export function createConversation({ model, bytes, seed }: ConversationOptions): string {
  const random = createRandom(seed);
  const messages: object[] = [
    { role: 'system', content: writeProse(random, 120) },
    { role: 'user', content: writeProse(random, 40) },
  ];
  const body = { model, max_tokens: 64, temperature: 0.2, tools: TOOLS.map(describeTool), messages };
  // A result never makes more than a part of a small body, so that each has several turns.
  const lines = Math.max(4, Math.min(RESULT_LINES, Math.floor((bytes * LONGEST_RESULT) / 60)));
  for (let length = JSON.stringify(body).length; length < bytes;) {
    const turn = createTurn(random, messages.length, lines);
    messages.push(...turn);
    length += turn.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)) + 1, 0);
  }
  return JSON.stringify(body);
}

type Random = (below: number) => number;

/** A linear congruential generator: nothing here needs good randomness. */
function createRandom(seed: number): Random {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pick = (random: Random, list: readonly string[]) => list[random(list.length)] ?? '';

function writeProse(random: Random, words: number): string {
  return `${Array.from({ length: words }, () => pick(random, PROSE)).join(' ')}. “${pick(random, WORDS)}” – ok?`;
}

function writeCode(random: Random, lines: number): string {
  return Array.from({ length: lines }, (_, at) => {
    const [a, b, c] = [pick(random, WORDS), pick(random, WORDS), pick(random, WORDS)];
    const kinds = [
      `${at + 1}\t  const ${a} = await ${b}.find("${c}", { limit: ${random(1_000)} });`,
      `${at + 1}\t  if (!${a}.ok) throw new Error(\`no ${b}: \${${c}.id}\\n\`); // ${a}`,
      `${at + 1}\t/** ${writeProse(random, 6)} */`,
      `${at + 1}\t    return ${a}.${b}.map((${c}) => ({ ...${c}, "at": ${random(100_000)} }));`,
      `${at + 1}\t}`,
    ];
    return pick(random, kinds);
  }).join('\n');
}

function createTurn(random: Random, index: number, lines: number): object[] {
  const calls = 1 + random(2);
  const ids = Array.from({ length: calls }, (_, at) => `call_${index}_${at}_${random(1_000_000_000)}`);
  const toolCalls = ids.map((id) => ({
    id,
    type: 'function',
    function: {
      name: pick(random, TOOLS),
      arguments: JSON.stringify({
        path: `src/${pick(random, WORDS)}/${pick(random, WORDS)}.ts`,
        text: writeCode(random, 1 + random(4)),
      }),
    },
  }));
  return [
    { role: 'assistant', content: writeProse(random, 20 + random(40)), tool_calls: toolCalls },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: writeCode(random, 1 + random(lines)) })),
  ];
}

function describeTool(name: string): object {
  const text = {
    type: 'string',
    description: `What ${name} needs. It is relative to the root of the project.`,
  };
  const parameters = {
    type: 'object',
    properties: { path: text, text, limit: { type: 'integer', minimum: 1 } },
    required: ['path'],
    additionalProperties: false,
  };
  return { type: 'function', function: { name, description: `Use ${name} to work with files.`, parameters } };
}
