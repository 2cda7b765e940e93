import { parseArgs } from 'node:util';
import { isPeer, PEER_NAMES, type PeerName } from './peers/peers.ts';
import { ATTACKS, isAttack, type AttackName } from './hostile/attacks.ts';

/** Parts in which the gateway is compared with other servers. */
export const CAST_PARTS = [
  'throughput',
  'streams',
  'translation',
  'metered',
  'latency',
  'hostile',
  'growth',
] as const;
/** Parts in which the gateway is measured alone, or in turns with another commit. */
export const CONTENDER_PARTS = ['bodies', 'sse', 'stall', 'single', 'footprint', 'workers', 'peers'] as const;
/** The benchmarks that can run separately, in their order. */
export const PARTS = [...CAST_PARTS, ...CONTENDER_PARTS] as const;
type Part = (typeof PARTS)[number];

export const USAGE = `npm run bench -- [options]

  --quick            a short run: fails on what is wrong, not on what is slow
  --only A,B         only these parts of ${PARTS.join(', ')}
  --json             print the results as JSON; progress goes to stderr either way
  --rounds N         rounds of the parts that count requests or take their times
  --seconds N        length of a round, and of the measured part of the streams
  --against COMMIT   measure that commit too, in turns with this one (throughput, metered,
                     ${CONTENDER_PARTS.join(', ')})
  --peers A,B        other gateways to compare with: ${PEER_NAMES.join(', ')}; installed outside the repository when needed
  --attacks A,B      these kinds of hostile load alone, such as 'slow readers' (hostile and stall)
  --streams N        concurrent streams
  --keys N           keys in the large table
  --past-requests N  requests in the large table
  --cores A,B        the core of the server under test and the core of everything else
  --profile DIR      write a V8 CPU profile of the gateway to DIR when it ends; it slows the gateway down
  --help             this text`;

export interface BenchOptions {
  quick: boolean;
  json: boolean;
  help: boolean;
  parts: ReadonlySet<Part>;
  /** A commit to compare with. */
  against: string | undefined;
  /** Measured by the part of this name, which does nothing without them. */
  peers: readonly PeerName[];
  attacks: readonly AttackName[];
  rounds: number;
  seconds: number;
  warmupSeconds: number;
  streams: number;
  keys: number;
  pastRequests: number;
  cores: string | undefined;
  profileDir: string | undefined;
}

/** @throws Error on an unknown flag or part, or a figure that is not a whole number above 0 */
export function parseOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string' },
      against: { type: 'string' },
      attacks: { type: 'string' },
      peers: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      streams: { type: 'string' },
      keys: { type: 'string' },
      'past-requests': { type: 'string' },
      cores: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const { quick } = values;
  return {
    quick,
    json: values.json,
    help: values.help,
    parts: parseParts(values.only),
    against: values.against,
    peers: parsePeers(values.peers),
    attacks: parseAttacks(values.attacks, quick),

    rounds: parseCount('rounds', values.rounds, quick ? 1 : 5),
    seconds: parseCount('seconds', values.seconds, quick ? 1 : 5),
    warmupSeconds: quick ? 2 : 6,
    streams: parseCount('streams', values.streams, quick ? 100 : 1_000),
    keys: parseCount('keys', values.keys, quick ? 10_000 : 1_000_000),
    pastRequests: parseCount('past-requests', values['past-requests'], quick ? 100_000 : 10_000_000),
    cores: values.cores,
    profileDir: values.profile,
  };
}

function parseParts(list: string | undefined): ReadonlySet<Part> {
  if (list === undefined) return new Set(PARTS);
  const names = splitList(list);
  const unknown = names.filter((name) => !PARTS.some((part) => part === name));
  if (unknown.length > 0) throw new Error(`--only takes ${PARTS.join(', ')}, not ${unknown.join(', ')}`);
  return new Set(PARTS.filter((part) => names.includes(part)));
}

const splitList = (list: string) => list.split(',').map((name) => name.trim());

/** Those whose bodies cost most: a quick run has time for no more. */
const QUICK_ATTACKS: readonly AttackName[] = [
  'a million members',
  '30 MB in many messages',
  'translated bodies of 4 MB',
];

function parseAttacks(list: string | undefined, quick: boolean): readonly AttackName[] {
  if (list === undefined) return quick ? QUICK_ATTACKS : Object.keys(ATTACKS).filter(isAttack);
  return splitList(list).map((name) => {
    if (!isAttack(name)) throw new Error(`--attacks takes ${Object.keys(ATTACKS).join(', ')}, not ${name}`);
    return name;
  });
}

function parsePeers(list: string | undefined): PeerName[] {
  if (list === undefined) return [];
  return splitList(list).map((name) => {
    if (!isPeer(name)) throw new Error(`--peers takes ${PEER_NAMES.join(', ')}, not ${name}`);
    return name;
  });
}

function parseCount(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above 0`);
  return value;
}
