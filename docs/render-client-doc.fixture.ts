import { CLIENTS } from '../packages/core/src/clients/clients.ts';
import { KEY_VARIABLE, type Client } from '../packages/core/src/clients/client.ts';

/** The address of a local installation, and its built-in model: what the pages show runs as printed. */
const INPUT = {
  baseUrl: 'http://127.0.0.1:8787/v1',
  model: 'tollgate-demo',
  smallModel: 'tollgate-demo',
};

/** The tables that test runs write. */
type Matrices = Record<'matrix' | 'Python matrix', string>;
export const markStart = (name: string) => `<!-- ${name}: start. A test run writes this section. -->`;
export const markEnd = (name: string) => `<!-- ${name}: end -->`;

/** The page of a client in `docs/clients/`. */
export function renderClientDoc(client: Client): string {
  const { shell, file, code, needsBoth, run } = client.setUp(INPUT);
  const sections = [
    `# ${client.title}`,
    `${client.title} calls \`POST ${client.endpoint}\`. This configuration was tested with ${client.title} ${client.testedVersion}. See also the [documentation of ${client.title}](${client.docs}).`,
    '## Configuration',
    ...(client.install === null ? [] : ['Install it:', fence('sh', client.install)]),
    `Set the key in the shell that starts ${client.kind === 'agent' ? client.title : 'the program'}:`,
    fence('sh', `export ${KEY_VARIABLE}=sk-…`),
    ...(shell === null
      ? []
      : [client.kind === 'shell' ? 'Send a request:' : 'In the same shell:', fence('sh', shell)]),
    ...(file === null
      ? []
      : [
          `${shell === null ? 'Add' : needsBoth ? 'And add' : 'Or, for every shell, add'} to \`${file.path}\`:`,
          fence(file.format, file.text),
        ]),
    ...(code === null ? [] : ['Send a request:', fence(code.language, code.text)]),
    ...(client.kind === 'agent' ? ['Start it:', fence('sh', run)] : []),
    `This command prints the configuration and sends a first request.${file === null ? '' : ' With `--write`, it also adds the configuration to the file.'}`,
    fence('sh', `npm run -s tollgate -- connect ${client.id}`),
    '## What works',
    [`- Same API format: ${client.notes.native}`, `- Translated: ${client.notes.translated}`].join('\n'),
    '## Known limits',
    client.notes.limits.map((limit) => `- ${limit}`).join('\n'),
    ...(client.sharedWith === null
      ? []
      : [
          `Requests of ${client.sharedWith} have the same user agent, so the request log cannot distinguish them.`,
        ]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** The index, with the tables that are there. */
export function renderClientIndex(matrices: Matrices): string {
  const show = (name: keyof Matrices) => `${markStart(name)}${matrices[name]}${markEnd(name)}`;
  const sections = [
    '# Clients',
    'Coding agents and SDKs work with the gateway after two settings: the address and the key. These pages show the configuration of each client. `tollgate connect` and the console page **Connect** use the same definitions.',
    CLIENTS.map(
      ({ id, title, endpoint, testedVersion }) =>
        `- [${title}](${id}.md): \`${endpoint}\`, tested with ${testedVersion}`,
    ).join('\n'),
    'Every other program with the API format of OpenAI or Anthropic works too. Set its base URL and its key.',
    '## Tested combinations',
    'In each row, the client completed a small programming task, with a scripted provider that checks every request against the rules of the real one.',
    [
      '- _API format_ is that of the client, and _provider_ that of the provider. If both are the same, the row is `native`: requests pass through. Otherwise they are `translated`.',
      `- _Model_ is the model ID that the client requests. \`team-writer\` and \`team-coder\` are model IDs of an operator's choice, with routes to \`claude-opus-4-8\` and \`gpt-5.5\`.`,
      '- _First answer_ is the time in seconds from the start of the client to the first byte of its first answer. Most of it is the start of the client.',
      '- _Seconds_ is the time of the whole task.',
      '- _Hold_ is the amount on hold for the first request. The balance and the budget must cover it. It is less than three times the cost of the request at its maximum output ([why](../decisions/2026-11-25-holds-for-coding-agents.md)).',
      '- _Cached_ is the share of the input that came from the prompt cache of the provider.',
    ].join('\n'),
    show('matrix'),
    '## Python clients',
    'In each row, the client completed plain requests, streams, tool calls and structured output, as far as it has them, with the same providers. The columns in the middle are API formats of providers.',
    show('Python matrix'),
  ];
  return `${sections.join('\n\n')}\n`;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
