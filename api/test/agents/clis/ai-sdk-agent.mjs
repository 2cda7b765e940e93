// A coding agent with the default OpenAI provider of the AI SDK. It reads its settings as that provider documents them.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { openai } from '@ai-sdk/openai';
import { isStepCount, streamText, tool } from 'ai';
import { z } from 'zod';

const filePath = z.string();
const tools = {
  write: tool({
    description: 'Writes a file',
    inputSchema: z.object({ filePath, content: z.string() }),
    execute: (input) => {
      writeFileSync(input.filePath, input.content);
      return 'written';
    },
  }),
  read: tool({
    description: 'Reads a file',
    inputSchema: z.object({ filePath }),
    execute: (input) => readFileSync(input.filePath, 'utf8'),
  }),
  bash: tool({
    description: 'Runs a command',
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command }) => execFileSync('sh', ['-c', command], { encoding: 'utf8' }),
  }),
};

const aborting = new AbortController();
process.on('SIGINT', () => {
  aborting.abort();
  process.exitCode = 130;
});
// As long as those of other agents, so that a provider caches them.
const instructions = Array.from({ length: 300 }, (_, number) => `Rule ${number}: work with care.`).join('\n');
const result = streamText({
  instructions,
  model: openai(process.env.AGENT_MODEL),
  prompt: process.argv[2],
  tools,
  stopWhen: isStepCount(10),
  abortSignal: aborting.signal,
  onError: ({ error }) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
});
for await (const text of result.textStream) process.stdout.write(text);
process.stdout.write('\n');
