import { parseArgs } from 'node:util';

export const USAGE = `npm run bench -- [options]

  --quick          a short run: fails on what is wrong, not on what is slow
  --json           print the results as JSON; progress goes to stderr either way
  --rounds N       rounds of the throughput part
  --seconds N      length of a round, and of the measured part of the streams
  --streams N      concurrent streams
  --cores A,B      the core of the server under test and the core of everything else
  --profile DIR    write a V8 CPU profile of the gateway to DIR when it ends; it slows the gateway down
  --help           this text`;

export interface BenchOptions {
  quick: boolean;
  json: boolean;
  help: boolean;
  rounds: number;
  seconds: number;
  warmupSeconds: number;
  streams: number;
  cores: string | undefined;
  profileDir: string | undefined;
}

/** @throws Error on an unknown flag or a figure that is not a whole number above 0 */
export function parseOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      streams: { type: 'string' },
      cores: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { quick } = values;
  return {
    quick,
    json: values.json,
    help: values.help,
    rounds: parseCount('rounds', values.rounds, quick ? 1 : 5),
    seconds: parseCount('seconds', values.seconds, quick ? 1 : 5),
    warmupSeconds: quick ? 1 : 6,
    streams: parseCount('streams', values.streams, quick ? 100 : 1_000),
    cores: values.cores,
    profileDir: values.profile,
  };
}

function parseCount(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above 0`);
  return value;
}
