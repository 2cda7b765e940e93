import { CLIENTS, findClient } from '@tollgate/core/clients/clients';
import type { Client, ClientSetup } from '@tollgate/core/clients/client';
import { emailSchema } from '@tollgate/core/keys/credentials';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, type Context, type Output } from '../command.ts';
import { findApiUrl } from '../connect/find-api-url.ts';
import { getConnectKey, type ConnectKey } from '../connect/connect-key.ts';
import { chooseModels } from '../connect/choose-models.ts';
import { confirm } from '../connect/confirm.ts';
import { describeConnection, listClients } from '../connect/describe-connection.ts';
import { locateSetup } from '../connect/config-folder.ts';
import { sendFirstRequest } from '../connect/send-first-request.ts';
import { planConfig, writeConfig, type ConfigPlan } from '../connect/write-config.ts';
import type { CliEnv } from '../env.ts';
import { Failure, UsageFailure } from '../failure.ts';

/** Whether a file can be changed does not depend on the model. */
const ANY_MODEL = 'any';

const inputSchema = z.object({
  client: z.string().optional(),
  list: z.boolean().default(false),
  key: z.string().min(1).optional(),
  createKey: z.boolean().default(false),
  account: emailSchema.optional(),
  name: z.string().optional(),
  model: z.string().trim().min(1).max(200).optional(),
  write: z.boolean().default(false),
  yes: z.boolean().default(false),
  test: z.boolean().default(true),
});
type Input = z.infer<typeof inputSchema>;

export function addConnect(program: Command): void {
  addCommand(program, {
    usage: 'connect [CLIENT]',
    summary: 'Configure a coding agent or an SDK for this installation, and send a first request',
    positional: ['client'],
    options: [
      { flags: '--list', about: 'list the clients' },
      { flags: '--key <key>', about: 'the API key; - reads it from stdin (default: SERVICE_API_KEY)' },
      { flags: '--create-key', about: 'create a key for --account' },
      { flags: '--account <email>', about: "the owner of the new key's account" },
      { flags: '--name <name>', about: "the new key's name (default: the client)" },
      { flags: '--model <id>', about: 'the model to use (default: one that the key may use)' },
      { flags: '--write', about: "add the configuration to the client's file, after showing the changes" },
      { flags: '--yes', about: 'write without asking' },
      { flags: '--no-test', about: 'send no request' },
    ],
    input: inputSchema,
    examples: [
      'tollgate connect --list',
      'tollgate connect claude-code',
      'tollgate connect codex --create-key --account you@example.com --no-test',
      'tollgate connect opencode --model tollgate-demo --write --yes',
    ],
    run: (input, context) => (input.list ? Promise.resolve(listClients()) : connect(input, context)),
  });
}

async function connect(input: Input, context: Context): Promise<Output> {
  const client = getTypedClient(input.client);
  const baseUrl = findApiUrl(context.env);
  // Before a key is created, so that a file that cannot be changed costs none.
  if (input.write) {
    const any = client.setUp({ baseUrl, model: ANY_MODEL, smallModel: ANY_MODEL });
    planFile(client, locateSetup(any, context.env).file, context.env);
  }
  const key = await getConnectKey({ ...input, client }, context);
  const models = await chooseModels({
    typed: input.model ?? null,
    baseUrl,
    key: key?.secret ?? null,
    client,
  });
  const { model } = models;
  const setup = locateSetup(client.setUp({ baseUrl, ...models }), context.env);
  const written = input.write
    ? await writeFile({ client, file: setup.file, isConfirmed: input.yes, key }, context)
    : null;
  const result =
    key === null || !input.test
      ? null
      : await sendFirstRequest({ baseUrl, endpoint: client.endpoint, key: key.secret, model });
  return describeConnection({ client, baseUrl, model, setup, key, written, result });
}

function getTypedClient(typed: string | undefined): Client {
  if (typed === undefined) throw new UsageFailure('Name a client. `tollgate connect --list` lists them.');
  const client = findClient(typed);
  if (client !== null) return client;
  throw new UsageFailure(`Unknown client ${typed}. Known: ${CLIENTS.map(({ id }) => id).join(', ')}.`);
}

function planFile(client: Client, file: ClientSetup['file'], env: CliEnv): ConfigPlan {
  if (file !== null) return planConfig(file, env.HOME);
  throw new Failure(
    'no_config_file',
    `${client.title} has no configuration file. Run the command without --write, and use what it prints.`,
  );
}

interface WriteInput {
  client: Client;
  file: ClientSetup['file'];
  isConfirmed: boolean;
  key: ConnectKey | null;
}

interface WrittenConfig {
  file: string;
  backup: string | null;
  isChanged: boolean;
}

/** @throws Failure that shows a new key: nothing else will show it again */
async function writeFile(
  { client, file, isConfirmed, key }: WriteInput,
  { env, clock }: Context,
): Promise<WrittenConfig> {
  try {
    return await write(planFile(client, file, env), isConfirmed, clock.nowMs());
  } catch (error) {
    if (key?.isNew !== true) throw error;
    const code = error instanceof Failure ? error.code : 'not_written';
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(code, `${reason} The new key, which is shown only once, is ${key.secret}`);
  }
}

async function write(plan: ConfigPlan, isConfirmed: boolean, nowMs: number): Promise<WrittenConfig> {
  const { file, diff } = plan;
  if (diff === '') return { file, backup: null, isChanged: false };
  process.stderr.write(`${diff}\n`);
  if (!isConfirmed && !(await confirm(`Write ${file}?`)))
    throw new Failure('not_confirmed', 'Nothing was changed.');
  return { file, backup: writeConfig(plan, nowMs), isChanged: true };
}
