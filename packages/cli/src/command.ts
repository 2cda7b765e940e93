import { systemClock, type Clock } from '@tollgate/core/runtime/clock';
import type { Command } from 'commander';
import { z } from 'zod';
import { readEnv, type CliEnv } from './env.ts';
import { UsageFailure } from './failure.ts';
import { asTyped } from './output/as-typed.ts';

/** Output of a command: stable JSON for programs, text for people. */
export interface Output {
  json: unknown;
  text: string;
  /** 1 if the command ran but reports a failure. */
  exitCode?: number;
}

export interface Context {
  env: CliEnv;
  clock: Clock;
}

export interface CommandOption {
  /** `--max-budget <usd>`. */
  flags: string;
  /** The help text. */
  about: string;
  required?: boolean;
  /** True: the flag can be repeated. */
  many?: boolean;
}

export interface CommandSpec<Schema extends z.ZodType> {
  /** `create`, or with arguments: `revoke <KEY_ID>`. */
  usage: string;
  summary: string;
  options?: readonly CommandOption[];
  /** Names of the positional arguments in `input`, in order. */
  positional?: readonly string[];
  /** Parses the options and positional arguments, named in camelCase. */
  input: Schema;
  examples: readonly string[];
  run(input: z.infer<Schema>, context: Context): Promise<Output>;
}

/** Adds a command to its group. */
export function addCommand<Schema extends z.ZodType>(parent: Command, spec: CommandSpec<Schema>): void {
  const command = parent.command(spec.usage).summary(spec.summary).description(`${spec.summary}.`);
  for (const { flags, about, required, many } of spec.options ?? []) {
    if (required === true) command.requiredOption(flags, about);
    else if (many === true) command.option(flags, about, collect);
    else command.option(flags, about);
  }
  checkInput(command, spec);
  command.option('--json', 'print JSON');
  command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  $ ${line}`).join('\n')}`);
  command.action(async (...typed: unknown[]) => {
    const options: Record<string, unknown> = command.opts();
    const positional = (spec.positional ?? []).map((name, index) => [name, typed[index]] as const);
    const input = readInput(spec.input, { ...options, ...Object.fromEntries(positional) });
    const output = await spec.run(input, { env: readEnv(), clock: systemClock });
    const text = options['json'] === true ? JSON.stringify(output.json, null, 2) : asTyped(output.text);
    process.stdout.write(`${text}\n`);
    if (output.exitCode !== undefined) process.exitCode = output.exitCode;
  });
}

/** @throws Error if `input` does not read exactly the options and positional arguments: the others would have no effect */
function checkInput<Schema extends z.ZodType>(command: Command, spec: CommandSpec<Schema>): void {
  if (!(spec.input instanceof z.ZodObject)) return;
  const typed = [...command.options.map((option) => option.attributeName()), ...(spec.positional ?? [])];
  const read = Object.keys(spec.input.shape);
  const unread = typed.filter((name) => !read.includes(name));
  const unreachable = read.filter((name) => !typed.includes(name));
  if (unread.length > 0) throw new Error(`The command ${spec.usage} does not read ${unread.join(', ')}`);
  if (unreachable.length > 0)
    throw new Error(`The command ${spec.usage} has no option for ${unreachable.join(', ')}`);
}

function readInput<Schema extends z.ZodType>(
  schema: Schema,
  typed: Record<string, unknown>,
): z.infer<Schema> {
  const parsed = schema.safeParse(typed);
  if (parsed.success) return parsed.data;
  throw usageFailure(parsed.error.issues);
}

/** Puts the flag before each message: `--max-budget: The budget must be more than $0`. */
export function usageFailure(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): UsageFailure {
  const problems = issues.map(({ path, message }) =>
    path.length === 0 ? message : `--${toKebab(String(path[0]))}: ${message}`,
  );
  return new UsageFailure(problems.join('; '));
}

function toKebab(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d/g, (letter) => `-${letter.toLowerCase()}`);
}

function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
