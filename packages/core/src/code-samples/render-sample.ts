import { pythonLiteral } from './python-literal.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { scriptLiteral } from './script-literal.ts';

export const SAMPLE_LANGUAGES = ['curl', 'python', 'typescript'] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];
export type SampleDialect = 'openai' | 'anthropic';

export interface SampleInput {
  /** The address of the api; it ends with `/v1`. */
  baseUrl: string;
  dialect: SampleDialect;
  /** The body in that dialect, without `stream`. */
  body: Record<string, unknown>;
  isStreamed: boolean;
}

/** A program that makes one call, as it is pasted. The key is read from SERVICE_API_KEY and is never in it. */
export function renderSample(language: SampleLanguage, input: SampleInput): string {
  switch (language) {
    case 'curl':
      return renderCurl(input);
    case 'python':
      return input.dialect === 'openai' ? renderOpenAiPython(input) : renderAnthropicPython(input);
    case 'typescript':
      return input.dialect === 'openai' ? renderOpenAiScript(input) : renderAnthropicScript(input);
  }
}

/** What a sample needs installed; null: nothing. */
export function sampleNeeds(language: SampleLanguage, dialect: SampleDialect): string | null {
  if (language === 'curl') return null;
  if (language === 'python') return dialect === 'openai' ? 'pip install openai' : 'pip install anthropic';
  return dialect === 'openai' ? 'npm install openai' : 'npm install @anthropic-ai/sdk';
}

/** The body comes by a here-document: an argument of a command may be no longer than 128 KiB. */
function renderCurl({ baseUrl, dialect, body, isStreamed }: SampleInput): string {
  const json = JSON.stringify(isStreamed ? { ...body, stream: true } : body, null, 2);
  const path = dialect === 'openai' ? '/chat/completions' : '/messages';
  return [
    `curl ${isStreamed ? '-N ' : ''}${quoteForShell(baseUrl + path)} \\`,
    '  -H "Authorization: Bearer $SERVICE_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    ...(dialect === 'anthropic' ? ['  -H "anthropic-version: 2023-06-01" \\'] : []),
    // Quoted, so the shell expands nothing; no line of indented JSON equals this delimiter.
    "  -d @- <<'JSON'",
    json,
    'JSON',
  ].join('\n');
}

const keywordArguments = (body: Record<string, unknown>) =>
  Object.entries(body)
    .map(([name, value]) => `    ${name}=${pythonLiteral(value, 1)},\n`)
    .join('');

const objectMembers = (body: Record<string, unknown>) =>
  Object.entries(body)
    .map(([name, value]) => `  ${name}: ${scriptLiteral(value, 1)},\n`)
    .join('');

/** With tools, the response may contain a tool call instead of text: the sample prints the whole message. */
const hasTools = (body: Record<string, unknown>) => 'tools' in body;

/** Anthropic's SDKs append `/v1` automatically. */
const bareUrl = (baseUrl: string) => JSON.stringify(baseUrl.replace(/\/v1\/?$/, ''));

function renderOpenAiPython({ baseUrl, body, isStreamed }: SampleInput): string {
  const head = `import os
from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["SERVICE_API_KEY"],
)
`;
  const call = `client.chat.completions.create(\n${keywordArguments(isStreamed ? { ...body, stream: true } : body)})\n`;
  if (!isStreamed)
    return `${head}completion = ${call}print(completion.choices[0].message${hasTools(body) ? '' : '.content'})`;
  return `${head}stream = ${call}for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
print()`;
}

function renderAnthropicPython({ baseUrl, body, isStreamed }: SampleInput): string {
  const head = `import os
from anthropic import Anthropic

client = Anthropic(
    base_url=${bareUrl(baseUrl)},
    api_key=os.environ["SERVICE_API_KEY"],
)
`;
  if (!isStreamed)
    return `${head}message = client.messages.create(\n${keywordArguments(body)})\nprint(message.content${hasTools(body) ? '' : '[0].text'})`;
  return `${head}with client.messages.stream(\n${keywordArguments(body)}) as stream:
    for text in stream.text_stream:
        print(text, end="", flush=True)
print()`;
}

function renderOpenAiScript({ baseUrl, body, isStreamed }: SampleInput): string {
  const head = `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: process.env.SERVICE_API_KEY,
});
`;
  const call = `await client.chat.completions.create({\n${objectMembers(isStreamed ? { ...body, stream: true } : body)}});\n`;
  if (!isStreamed)
    return `${head}const completion = ${call}console.log(completion.choices[0]?.message${hasTools(body) ? '' : '.content'});`;
  return `${head}const stream = ${call}for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
}
console.log();`;
}

function renderAnthropicScript({ baseUrl, body, isStreamed }: SampleInput): string {
  const head = `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: ${bareUrl(baseUrl)},
  apiKey: process.env.SERVICE_API_KEY,
});
`;
  if (!isStreamed)
    return `${head}const message = await client.messages.create({\n${objectMembers(body)}});\nconsole.log(message.content);`;
  return `${head}const stream = client.messages.stream({\n${objectMembers(body)}});
stream.on("text", (text) => process.stdout.write(text));
await stream.finalMessage();
console.log();`;
}
