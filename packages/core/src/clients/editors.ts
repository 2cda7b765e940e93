import { KEY_VARIABLE, type Client } from './client.ts';
import { exportLines, jsonText, quoted } from './setup-text.ts';

const CHAT_NOTES = {
  native: "Requests to providers with OpenAI's chat completions pass through without translation.",
  translated: 'Claude and Gemini models work with tools, images and reasoning.',
} as const;

/** More agents: extensions of editors, which also run in a terminal. Checked on 2026-11-26. */
export const EDITORS: readonly Client[] = [
  {
    id: 'cline',
    title: 'Cline',
    kind: 'agent',
    families: [],
    sharedFamilies: ['ai-sdk/openai-compatible'],
    sharedWith: 'other programs with the AI SDK',
    endpoint: '/v1/chat/completions',
    install: 'npm install -g cline',
    docs: 'https://docs.cline.bot/provider-config/openai-compatible',
    testedVersion: '3.0.65',
    defaultModels: [],
    notes: {
      ...CHAT_NOTES,
      limits: [
        'The extension for editors has no file: select “OpenAI Compatible” in its settings and enter the same values.',
      ],
    },
    setUp: ({ baseUrl, model }) => ({
      shell: exportLines({ OPENAI_API_KEY: `$${KEY_VARIABLE}` }),
      file: {
        path: '~/.cline/data/settings/providers.json',
        format: 'json',
        text: jsonText({
          version: 1,
          lastUsedProvider: 'openai-compatible',
          providers: {
            'openai-compatible': {
              settings: { provider: 'openai-compatible', model, baseUrl },
              updatedAt: '2026-11-26T00:00:00.000Z',
              tokenSource: 'manual',
            },
          },
        }),
      },
      needsBoth: true,
      code: null,
      run: 'cline',
    }),
  },
  {
    id: 'continue',
    title: 'Continue',
    kind: 'agent',
    // Its build shortens the name of OpenAI's class, which is the family.
    families: ['ls/JS'],
    sharedFamilies: [],
    sharedWith: null,
    endpoint: '/v1/chat/completions',
    install: 'npm install -g @continuedev/cli',
    docs: 'https://docs.continue.dev/reference',
    testedVersion: '1.5.47',
    defaultModels: [],
    notes: {
      ...CHAT_NOTES,
      limits: [
        `Editors started from a menu do not see variables of the shell. Put ${KEY_VARIABLE} into ~/.continue/.env for them.`,
      ],
    },
    setUp: ({ baseUrl, model }) => ({
      shell: null,
      file: {
        path: '~/.continue/config.yaml',
        format: 'yaml',
        text: `name: Tollgate
version: 1.0.0
schema: v1
models:
  - name: ${quoted(model)}
    provider: openai
    model: ${quoted(model)}
    apiBase: ${quoted(baseUrl)}
    apiKey: \${{ secrets.${KEY_VARIABLE} }}`,
      },
      needsBoth: false,
      code: null,
      run: 'cn --config ~/.continue/config.yaml',
    }),
  },
  {
    id: 'aider',
    title: 'Aider',
    kind: 'agent',
    families: [],
    sharedFamilies: ['OpenAI/Python', 'AsyncOpenAI/Python'],
    sharedWith: 'other programs with the OpenAI SDK for Python',
    endpoint: '/v1/chat/completions',
    install: 'python -m pip install aider-install && aider-install',
    docs: 'https://aider.chat/docs/llms/openai-compat.html',
    testedVersion: '0.86.2',
    defaultModels: [],
    notes: {
      ...CHAT_NOTES,
      limits: ['Aider knows no prices of these models, and shows none. The console does.'],
    },
    setUp: ({ baseUrl, model }) => ({
      shell: exportLines({ OPENAI_API_KEY: `$${KEY_VARIABLE}` }),
      file: {
        path: '~/.aider.conf.yml',
        format: 'yaml',
        text: `openai-api-base: ${quoted(baseUrl)}
model: ${quoted(`openai/${model}`)}`,
      },
      needsBoth: true,
      code: null,
      run: 'aider',
    }),
  },
];
