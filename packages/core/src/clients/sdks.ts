import { renderSample } from '../code-samples/render-sample.ts';
import { KEY_VARIABLE, type Client, type SetupInput } from './client.ts';
import { bareUrl, exportLines, quoted } from './setup-text.ts';

const HELLO = [{ role: 'user', content: 'Hello' }];

const openaiSample = (language: 'python' | 'typescript' | 'curl', { baseUrl, model }: SetupInput) =>
  renderSample(language, {
    baseUrl,
    dialect: 'openai',
    body: { model, messages: HELLO },
    isStreamed: false,
  });

/** SDKs and the shell. Checked on 2026-11-26. */
export const SDKS: readonly Client[] = [
  {
    id: 'ai-sdk',
    title: 'AI SDK',
    kind: 'sdk',
    families: ['ai'],
    sharedFamilies: [],
    sharedWith: null,
    endpoint: '/v1/responses',
    install: 'npm install ai @ai-sdk/openai',
    docs: 'https://ai-sdk.dev/providers/ai-sdk-providers/openai',
    testedVersion: '7.0.173',
    defaultModels: [],
    notes: {
      native: 'Requests to models of OpenAI pass through without translation.',
      translated: 'Models of other providers work, with tools and structured output.',
      limits: ['The provider @ai-sdk/anthropic works too, with the same base URL.'],
    },
    setUp: ({ baseUrl, model }) => ({
      shell: null,
      file: null,
      needsBoth: false,
      code: {
        language: 'typescript',
        text: `import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";

const tollgate = createOpenAI({
  baseURL: ${quoted(baseUrl)},
  apiKey: process.env.${KEY_VARIABLE},
});
const { text } = await generateText({ model: tollgate(${quoted(model)}), prompt: "Hello" });
console.log(text);`,
      },
      run: 'node hello.ts',
    }),
  },
  {
    id: 'langchain',
    title: 'LangChain',
    kind: 'sdk',
    families: ['langchain-anthropic'],
    sharedFamilies: ['OpenAI/Python', 'AsyncOpenAI/Python'],
    sharedWith: 'the OpenAI SDK for Python',
    endpoint: '/v1/chat/completions',
    install: 'pip install langchain-openai',
    docs: 'https://docs.langchain.com/oss/python/integrations/chat/openai',
    testedVersion: '1.7.4',
    defaultModels: [],
    notes: {
      native: "Requests to providers with OpenAI's chat completions pass through without translation.",
      translated: 'Claude and Gemini models work with tools and structured output.',
      limits: ['ChatAnthropic works too, with the base URL without /v1.'],
    },
    setUp: ({ baseUrl, model }) => ({
      shell: null,
      file: null,
      needsBoth: false,
      code: {
        language: 'python',
        text: `import os
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${quoted(model)},
    base_url=${quoted(baseUrl)},
    api_key=os.environ["${KEY_VARIABLE}"],
)
print(model.invoke("Hello").content)`,
      },
      run: 'python hello.py',
    }),
  },
  {
    id: 'openai',
    title: 'OpenAI SDK',
    kind: 'sdk',
    families: ['OpenAI/Python', 'AsyncOpenAI/Python', 'OpenAI/JS'],
    sharedFamilies: [],
    sharedWith: 'programs that use this SDK, such as Aider and LangChain,',
    endpoint: '/v1/chat/completions',
    install: 'pip install openai',
    docs: 'https://github.com/openai/openai-python#configuring-the-http-client',
    testedVersion: '3.57.0',
    defaultModels: [],
    notes: {
      native:
        'Requests to models of OpenAI pass through without translation, for chat completions, responses (also over WebSocket) and embeddings.',
      translated: 'Models of other providers work with chat completions and responses.',
      limits: [
        'Unless the account turned on stored responses, previous_response_id, conversation and background get 400. Send the whole conversation with each request.',
      ],
    },
    setUp: (input) => ({
      shell: exportLines({ OPENAI_BASE_URL: input.baseUrl, OPENAI_API_KEY: `$${KEY_VARIABLE}` }),
      file: null,
      needsBoth: false,
      code: { language: 'python', text: openaiSample('python', input) },
      run: 'python hello.py',
    }),
  },
  {
    id: 'anthropic',
    title: 'Anthropic SDK',
    kind: 'sdk',
    families: ['Anthropic/Python', 'AsyncAnthropic/Python', 'Anthropic/JS'],
    sharedFamilies: [],
    sharedWith: null,
    endpoint: '/v1/messages',
    install: 'pip install anthropic',
    docs: 'https://docs.claude.com/en/api/client-sdks',
    testedVersion: '2.14.0',
    defaultModels: [],
    notes: {
      native: 'Requests to Claude models pass through without translation.',
      translated: 'Models of other providers work with tools, images and reasoning.',
      limits: ['Batches and files are not available.'],
    },
    setUp: ({ baseUrl, model }) => ({
      shell: exportLines({ ANTHROPIC_BASE_URL: bareUrl(baseUrl), ANTHROPIC_API_KEY: `$${KEY_VARIABLE}` }),
      file: null,
      needsBoth: false,
      code: {
        language: 'python',
        text: renderSample('python', {
          baseUrl,
          dialect: 'anthropic',
          body: { model, max_tokens: 256, messages: HELLO },
          isStreamed: false,
        }),
      },
      run: 'python hello.py',
    }),
  },
  {
    id: 'curl',
    title: 'curl',
    kind: 'shell',
    families: ['curl'],
    sharedFamilies: [],
    sharedWith: null,
    endpoint: '/v1/chat/completions',
    install: null,
    docs: 'https://curl.se/docs/manpage.html',
    testedVersion: '7.88.1',
    defaultModels: [],
    notes: {
      native: 'Every endpoint works.',
      translated:
        'Every model except embedding models works at /v1/chat/completions, /v1/responses and /v1/messages.',
      limits: ['Keep the key in a variable: command lines are visible in the process list.'],
    },
    setUp: (input) => ({
      shell: openaiSample('curl', input),
      file: null,
      needsBoth: false,
      code: null,
      run: 'sh',
    }),
  },
];
