import { readFileSync } from 'node:fs';
import { FORMATS, readRows, writeSection } from '../agents/clis/matrix-section.ts';
import type { PythonSet } from './run-python.ts';

/** API formats of providers, as columns. */
const PROVIDERS = ['chat completions', 'responses', 'messages'];
const HEAD = [
  `| client | API format | ${PROVIDERS.join(' | ')} | requests |`,
  '| --- | --- | --- | --- | --- | --- |',
];
/** A line that the tests write. */
const ROW = /^\| [^|]+ \d[^|]* \| [a-z ]+ \|(?: (?:native|translated)? ?\|){3} \d+ \|$/;

/** Names and packages, by the files of the clients. */
const CLIENTS: Readonly<Record<string, readonly [title: string, packageName: string]>> = {
  openai_sdk: ['OpenAI SDK', 'openai'],
  anthropic_sdk: ['Anthropic SDK', 'anthropic'],
  openai_agents: ['OpenAI Agents SDK', 'openai-agents'],
  pydantic_ai_client: ['Pydantic AI', 'pydantic-ai-slim'],
  langchain_client: ['LangChain', 'langchain-core'],
  agno_client: ['Agno', 'agno'],
  smolagents_client: ['smolagents', 'smolagents'],
  instructor_client: ['Instructor', 'instructor'],
  litellm_client: ['LiteLLM', 'litellm'],
  llama_index_client: ['LlamaIndex', 'llama-index-core'],
};

/** The answered requests of a client to one endpoint of the gateway, by API format of the provider. */
export interface PythonRequests {
  /** Path of the endpoint. */
  endpoint: string;
  /** The provider's dialect. */
  provider: string;
  requests: number;
}

/** The table of Python clients. */
export function createPythonMatrix() {
  const rows: string[] = [];
  return {
    /** @param set of pinned packages that has the client's version */
    add(set: PythonSet, client: string, answered: readonly PythonRequests[]): void {
      for (const endpoint of new Set(answered.map((each) => each.endpoint))) {
        const own = answered.filter((each) => each.endpoint === endpoint);
        const format = FORMATS[endpoint] ?? endpoint;
        const cells = PROVIDERS.map((provider) => {
          if (!own.some((each) => FORMATS[each.provider] === provider)) return '';
          return provider === format ? 'native' : 'translated';
        });
        const count = own.reduce((sum, { requests }) => sum + requests, 0);
        rows.push(`| ${[describeClient(set, client), format, ...cells, count].join(' | ')} |`);
      }
    },
    save(): void {
      writeSection('Python matrix', [...HEAD, ...rows.toSorted()]);
    },
  };
}

function describeClient(set: PythonSet, client: string): string {
  const [title, packageName] = CLIENTS[client] ?? [client, client];
  const pins = readFileSync(new URL(`${set}.txt`, import.meta.url), 'utf8').split('\n');
  const pin = pins.find((line) => line.startsWith(`${packageName}==`));
  if (pin === undefined) throw new Error(`${set}.txt has no ${packageName}`);
  return `${title} ${pin.slice(packageName.length + 2)}`;
}

/** @returns the lines of the table that the tests would not write */
export function findPythonFaults(): string[] {
  const rows = readRows('Python matrix');
  return rows.length === 0 ? ['The Python matrix is empty'] : rows.filter((row) => !ROW.test(row));
}
