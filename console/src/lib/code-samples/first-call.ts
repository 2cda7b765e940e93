import { quoteForShell } from '@tollgate/core/code-samples/quote-for-shell';

export const SNIPPET_TABS = [
  { value: 'shell', label: 'Shell' },
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'anthropic', label: 'Anthropic SDK' },
] as const;

export type SnippetName = (typeof SNIPPET_TABS)[number]['value'];

export interface SnippetInput {
  /** The address of the api; it ends with `/v1`. */
  baseUrl: string;
  secret: string;
  /** A model that the key may call. */
  model: string;
}

/** A first call for each way of making one. Each runs as it is pasted, once the shell's first line has run. */
export function renderSnippets({ baseUrl, secret, model }: SnippetInput): Record<SnippetName, string> {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  const curl = (flags: string, json: object) =>
    [
      `curl ${flags}${quoteForShell(`${baseUrl}/chat/completions`)} \\`,
      '  -H "Authorization: Bearer $SERVICE_API_KEY" \\',
      '  -H "Content-Type: application/json" \\',
      `  -d ${quoteForShell(JSON.stringify(json))}`,
    ].join('\n');
  return {
    shell: `export SERVICE_API_KEY=${quoteForShell(secret)}\n\n${curl('', body)}`,
    curl: curl('-N ', { ...body, stream: true }),
    python: PYTHON({ url: JSON.stringify(baseUrl), model: JSON.stringify(model) }),
    typescript: TYPESCRIPT({ url: JSON.stringify(baseUrl), model: JSON.stringify(model) }),
    // The SDK appends /v1 automatically.
    anthropic: ANTHROPIC({
      url: JSON.stringify(baseUrl.replace(/\/v1\/?$/, '')),
      model: JSON.stringify(model),
    }),
  };
}

/** What a tab needs next to the key. */
export const SNIPPET_NEEDS: Record<SnippetName, string | null> = {
  shell: null,
  curl: null,
  python: 'pip install openai',
  typescript: 'npm install openai',
  anthropic: 'pip install anthropic',
};

interface Literals {
  url: string;
  model: string;
}

// JSON's string literals are valid in Python and in TypeScript alike.
const PYTHON = ({ url, model }: Literals) => `import os
from openai import OpenAI

client = OpenAI(
    base_url=${url},
    api_key=os.environ["SERVICE_API_KEY"],
)
completion = client.chat.completions.create(
    model=${model},
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content)`;

const TYPESCRIPT = ({ url, model }: Literals) => `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${url},
  apiKey: process.env.SERVICE_API_KEY,
});
const completion = await client.chat.completions.create({
  model: ${model},
  messages: [{ role: "user", content: "Hello" }],
});
console.log(completion.choices[0]?.message.content);`;

const ANTHROPIC = ({ url, model }: Literals) => `import os
from anthropic import Anthropic

client = Anthropic(
    base_url=${url},
    api_key=os.environ["SERVICE_API_KEY"],
)
message = client.messages.create(
    model=${model},
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`;
